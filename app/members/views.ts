import type { Way } from "./identity";
import type { SubscriptionView } from "./subscription-view";

export interface ViewerView {
  displayName: string;
  imageUrl: string | null;
  subscription: SubscriptionView;
  /** The session is connected to Spotify. */
  hasSpotify: boolean;
  hearsSpotify: boolean;
  /** They are in a round, or host one. */
  hasRounds: boolean;
  news: NewsView | null;
}

/** The viewer's songs with ratings that they have not seen. */
export interface NewsView {
  /** `mostNews` stands for as many or more. */
  songs: number;
  only: { songId: string; title: string } | null;
}

export const mostNews = 10;

export interface SessionView {
  /** Its name in the form that ends it. */
  handle: string;
  device: string | null;
  createdAt: number;
  lastSeenAt: number;
  current: boolean;
  way: Way;
  /** Whether it is connected to Spotify. */
  spotify: boolean;
}

/** How a member comes in. */
export interface WaysView {
  /** Whom Spotify knows, by name; by its id where that name has not been asked for yet. */
  spotify: string | null;
  /** Whether this session is connected to Spotify. */
  connected: boolean;
  /** Whether Spotify can be connected here. */
  spotifyOpen: boolean;
}

/** How a login came in. */
export const cameBy: Record<Way, string> = { spotify: "with Spotify", email: "by e-mail" };
