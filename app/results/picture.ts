import { ratingsPerSubmission } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { countLiked } from "./opinions";
import { inWords } from "./sentences";
import { type Snapshot, sharedResult } from "./share";
import { ratingsForRange } from "./statistics";

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
  const { uploads } = sharedResult(snapshot);
  const { liked, others } = countLiked(uploads.flatMap(({ scores }) => scores));
  const shown = liked + others;
  const isTold = shown >= ratingsForRange;
  return {
    said: isTold
      ? `${liked} of ${shown} liked it.`
      : `All ${inWords(snapshot.received).toLowerCase()} are in.`,
    note: isTold ? null : `${inWords(shown)} are shown here.`,
    fives: uploads
      .slice(-maxFives)
      .map(({ scores }) => ({ scores, hidden: ratingsPerSubmission - scores.length })),
  };
}
