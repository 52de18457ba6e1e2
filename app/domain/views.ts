import type { Track } from "~/adapters/spotify/track";
import type { Score } from "~/domain/rating/scale";
import type { ResolvedTier } from "~/domain/tiers/tiers";

/** The logged-in user as screens show them. */
export interface ViewerView {
  displayName: string;
  imageUrl: string | null;
  tier: Pick<ResolvedTier, "tier" | "subscriptionStatus" | "cancelAt" | "showPaymentWarning">;
}

/** A song of somebody else's in the viewer's package. Nothing in it tells whose it is. */
export interface CarouselSong extends Track {
  /** The song's id in this product, for /songs/:songId/… */
  songId: string;
  /** The viewer's own rating, once given. */
  rated: Score | null;
  /** Whether the viewer has added it to their favorites from here. */
  favorited: boolean;
  /** Seconds that must be heard, for this viewer's tier and this song's length. */
  requiredSeconds: number;
}

/** The viewer's open listen: what PLAY SONG began. Times are epoch milliseconds of the server. */
export interface ListenView {
  songId: string;
  /** When the song can be rated: start plus required seconds plus one. */
  unlocksAt: number;
  finished: boolean;
}

/** Whether and at what price the viewer may submit (spec section 4, "Upload eligibility"). */
export interface Eligibility {
  eligible: boolean;
  /** Songs still to rate before submitting; 0 when eligible. */
  remaining: number;
  /** Credits a submission spends. */
  cost: number;
  /** The pool is nearly or wholly empty: the confirmation is the "No More Songs" one. */
  limited: boolean;
}

export interface CarouselView {
  /** "songs": a package is open. "empty": nothing to rate and nothing rated yet. "exhausted": rated through, nothing left. */
  state: "songs" | "empty" | "exhausted";
  songs: CarouselSong[];
  listen: ListenView | null;
  eligibility: Eligibility;
  /** The server's clock when the view was made, epoch milliseconds. */
  now: number;
}

/** One line in a panel of "Ratings of my songs". No id, no rater. */
export interface RatingLine {
  score: Score;
  /** Epoch milliseconds. */
  ratedAt: number;
}

export interface SongRatingsPanel extends Track {
  songId: string;
  entitled: number;
  received: number;
  /** Newest first; for free users at most two. */
  visible: RatingLine[];
  /** How many more there are that this tier does not show. */
  hidden: number;
}

/** One of the viewer's sessions. Times are epoch milliseconds. */
export interface SessionView {
  /** Browser and system, or null where neither is known. */
  device: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** The one that asks. */
  current: boolean;
}

/** Where the viewer's mails go, and which of them are wanted. */
export interface MailSettingsView {
  address: string | null;
  /** The user gave it; else it is Spotify's. */
  own: boolean;
  /** Mails about the user's songs. */
  rating: boolean;
  /** Mails about the subscription. */
  subscription: boolean;
  /** An address that a link was mailed to, to be confirmed. */
  waiting: string | null;
}
