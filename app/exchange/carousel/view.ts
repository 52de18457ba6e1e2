import type { EmptyPool } from "~/exchange/carousel/empty-pool/empty-pool.server";
import type { ListenView } from "~/exchange/listening/listening";
import type { Reasons } from "~/exchange/rating/reasons";
import type { Score } from "~/exchange/rating/scale";
import type { ReleaseView } from "~/exchange/release/release-link";
import type { RoundGoal } from "~/exchange/round/round";
import type { Eligibility } from "~/exchange/submission/eligibility";
import type { Song } from "~/sources/song";

export type CarouselSong = Song & {
  songId: string;
  heard: boolean;
  rated: Score | null;
  favorited: boolean;
  /** The name of one of the viewer's that has it. */
  playlist: string | null;
  requiredSeconds: number;
  /** In tenths of LUFS; null for a track, and where it is not known. */
  loudness: number | null;
};

export type JustRated = Song & {
  songId: string;
  score: Score;
  reasons: Reasons | null;
  release: ReleaseView;
  changeableMs: number;
  playlist: string | null;
};

export interface CarouselView {
  /** "exhausted": rated through, nothing left. "away": during the cooldown (rule 37, coming back). */
  state: "songs" | "empty" | "exhausted" | "away";
  songs: CarouselSong[];
  listen: ListenView | null;
  eligibility: Eligibility;
  /** The way to the next submission, in a line; null during the cooldown. */
  goal: string | null;
  /** The songs are of a round, which comes first (rule 47, rounds); or all of theirs are heard, and it has not opened. */
  round: RoundGoal | null;
  emptyPool: EmptyPool | null;
  now: number;
}
