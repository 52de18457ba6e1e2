import { ratingsPerSubmission } from "~/db/rules";

export interface Reach {
  owed: number;
  /** Others than its owner who hear it, within the last week; of many, the last hundred such logins. */
  here: number;
  left: number;
}

export const reachedAllText =
  "Of those who were here in the last week, too few are left to rate this song. Please choose another one, or try again when others have joined.";

/** Promises of one song that may be open in a circle that is just beginning. */
export const promisesAhead = 2;

/**
 * Checks whether too few users are left to keep another promise (rule 27). A circle that is just beginning
 * may promise more than it could keep today: as long as half of it can still rate the song.
 */
export function hasReachedAll({ owed, here, left }: Reach): boolean {
  const isBeginning = here - left <= left && owed < promisesAhead * ratingsPerSubmission;
  return here > 0 && !isBeginning && left < owed + ratingsPerSubmission;
}
