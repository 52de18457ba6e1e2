import { ratingsPerSubmission } from "~/db/rules";

/** Ratings of a song by submission. */
interface Assignment {
  /** The index of each rating's submission. */
  places: number[];
  /** The number of ratings of each submission. */
  totals: number[];
}

/**
 * Assigns the ratings of a song to its submissions (rule 24). Ratings fill the oldest promise first, five
 * each. A rating beyond all promises, from somebody who was already listening, goes to the submission that
 * was the latest at the time.
 * @param submittedAt times of the submissions, oldest first; epoch milliseconds.
 * @param ratedAt times of the ratings, oldest first; epoch milliseconds.
 * @param before number of earlier ratings, which have filled the oldest promises.
 */
export function assignToSubmissions(
  submittedAt: number[],
  ratedAt: number[],
  before = 0,
): Assignment {
  const last = submittedAt.length - 1;
  const totals = submittedAt.map((_at, place) => {
    const left = Math.max(0, before - place * ratingsPerSubmission);
    return place === last ? left : Math.min(ratingsPerSubmission, left);
  });
  const places = ratedAt.map((at) => {
    const made = Math.max(1, submittedAt.filter((submitted) => submitted <= at).length);
    const open = totals.findIndex((total) => total < ratingsPerSubmission);
    const place = open < 0 || open >= made ? made - 1 : open;
    totals[place] = (totals[place] ?? 0) + 1;
    return place;
  });
  return { places, totals };
}
