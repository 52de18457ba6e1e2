import type { SubscriptionView } from "./subscription-view";

export interface ViewerView {
  displayName: string;
  imageUrl: string | null;
  subscription: SubscriptionView;
  /** The session is connected to Spotify. */
  hasSpotify: boolean;
  hearsSpotify: boolean;
}

export interface SessionView {
  /** Its name in the form that ends it. */
  handle: string;
  device: string | null;
  createdAt: number;
  lastSeenAt: number;
  current: boolean;
}
