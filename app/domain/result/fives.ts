import { ratingsPerSubmission } from "~/db/rules";

/**
 * Which submission of a song each of its ratings belongs to (design section 9). Ratings fill the oldest
 * promise first, five each. A rating beyond all promises, from somebody who was already listening,
 * counts towards the submission that was the last one then.
 * @param submittedAt when each submission was made, oldest first; epoch milliseconds.
 * @param ratedAt when each rating came in, oldest first; epoch milliseconds.
 * @param before how many ratings came before those; they have filled the oldest promises.
 * @returns for each rating the place of its submission in `submittedAt`.
 */
export function submissionsOfRatings(
  submittedAt: number[],
  ratedAt: number[],
  before = 0,
): number[] {
  const filled = submittedAt.map((_at, place) =>
    Math.min(ratingsPerSubmission, Math.max(0, before - place * ratingsPerSubmission)),
  );
  return ratedAt.map((at) => {
    const made = Math.max(1, submittedAt.filter((submitted) => submitted <= at).length);
    const open = filled.findIndex((count) => count < ratingsPerSubmission);
    const place = open < 0 || open >= made ? made - 1 : open;
    filled[place] = (filled[place] ?? 0) + 1;
    return place;
  });
}
