import { ratingsPerSubmission } from "~/db/rules";

/** The reach of a song among those who come here. */
export interface Reach {
  /** Ratings that earlier submissions still promise. */
  owed: number;
  /** Others than its owner who were here within the last week; of many, the last hundred logins. */
  here: number;
  /** Those of them who could still rate it. */
  left: number;
}

/** The text for a song that has reached nearly everybody. */
export const reachedAllText =
  "Of those who were here in the last week, too few are left to rate this song. Please choose another one, or try again when others have joined.";

/** Promises of one song that may be open in a circle that is just beginning. */
export const promisesAhead = 2;

/**
 * Checks whether too few of those who are here can still rate a song to keep another promise. A circle that
 * is just beginning may promise more than it could keep today, because it grows: as long as at least half of
 * it can still rate the song, and at most one promise is open.
 */
export function hasReachedAll({ owed, here, left }: Reach): boolean {
  const isBeginning = here - left <= left && owed < promisesAhead * ratingsPerSubmission;
  return here > 0 && !isBeginning && left < owed + ratingsPerSubmission;
}
