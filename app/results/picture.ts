import { ratingsPerSubmission } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { type Snapshot, sharedResult } from "./share";

/** What a picture of a result says, which its owner saves and shows where they like: no more than its shared page. */
export interface Picture {
  /** In the largest type; never a label. */
  said: string;
  note: string | null;
  /** Of the newest submissions, the oldest first. */
  fives: { scores: Score[]; hidden: number }[];
}

/** More would be too small to be told apart. */
const maxFives = 4;

export function pictureOf(snapshot: Snapshot): Picture {
  const { uploads, verdict } = sharedResult(snapshot);
  return {
    ...verdict,
    fives: uploads
      .slice(-maxFives)
      .map(({ scores }) => ({ scores, hidden: ratingsPerSubmission - scores.length })),
  };
}
