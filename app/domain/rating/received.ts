import type { Track } from "~/adapters/spotify/track";
import type { Score } from "./scale";

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
  /** Ratings owed while it rests because Spotify does not play it; null while it does not rest. */
  owedAtRest: number | null;
  /** Newest first; for free users at most two. */
  visible: RatingLine[];
  /** How many more there are that this tier does not show. */
  hidden: number;
}
