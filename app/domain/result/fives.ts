import { ratingsPerSubmission } from "~/db/rules";

/** Which submission each rating of a song belongs to, and how many each submission has. */
interface Fives {
  /** For each rating the place of its submission. */
  places: number[];
  /** For each submission the number of its ratings. */
  totals: number[];
}

/**
 * Divides the ratings of a song among its submissions (rule 24). Ratings fill the oldest
 * promise first, five each. A rating beyond all promises, from somebody who was already listening,
 * belongs to the submission that was the last one then.
 * @param submittedAt when each submission was made, oldest first; epoch milliseconds.
 * @param ratedAt when each rating came in, oldest first; epoch milliseconds.
 * @param before how many came before those; they have filled the oldest promises.
 */
export function divideIntoFives(submittedAt: number[], ratedAt: number[], before = 0): Fives {
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
