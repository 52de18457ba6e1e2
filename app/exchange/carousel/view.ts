import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import type { ListenView } from "~/exchange/listening/listening";
import type { Reasons } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import type { Eligibility } from "~/exchange/submission/eligibility";
import type { Track } from "~/spotify/track";

/** A song in the viewer's package, without its owner. */
export interface CarouselSong extends Track {
  /** The song's id in this product, for /songs/:songId/… */
  songId: string;
  /** The viewer has heard it for the required time, so that it is open to rating. */
  heard: boolean;
  /** The viewer's own rating, once given. */
  rated: Score | null;
  /** The viewer has added it to their favorites from here. */
  favorited: boolean;
  /** Seconds that must be heard, for this viewer's tier and this song's length. */
  requiredSeconds: number;
}

/** A rating that the viewer has just given. */
export interface JustRated extends Track {
  songId: string;
  score: Score;
  /** The reasons given so far; null if none can be given any more. */
  reasons: Reasons | null;
  /** Time in which the score can still be changed, in milliseconds. */
  changeableMs: number;
}

export interface CarouselView {
  /**
   * "songs": a package is open. "empty": nothing to rate and nothing rated yet. "exhausted": rated
   * through, nothing left. "away": the viewer has deleted an account within the last day.
   */
  state: "songs" | "empty" | "exhausted" | "away";
  songs: CarouselSong[];
  listen: ListenView | null;
  eligibility: Eligibility;
  /** The way to the next submission, in a line; null while the viewer is away. */
  goal: string | null;
  /** The offers while there is nothing to rate; null while there are songs. */
  emptyPool: EmptyPool | null;
  /** The server's clock when the view was made, epoch milliseconds. */
  now: number;
}
