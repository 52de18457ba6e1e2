import { ratingsPerSubmission } from "~/db/rules";

/** How many of those who come here a song of somebody's can still reach. */
export interface Reach {
  /** Ratings received, and ratings that earlier submissions still promise. */
  received: number;
  owed: number;
  /** Those who were here within the last week and could still rate it; counted among a hundred of them. */
  left: number;
}

/** What people read whose song has reached as good as everybody. */
export const reachedAllText =
  "As good as everybody who was here in the last week has rated this song already, and five more ratings would be promised that nobody is there to give. Please choose another song, or this one again later, when others have come.";

/** Promises of one song that may be open in a circle that is just beginning. */
const promisesAhead = 2;

/**
 * Whether a song has been rated by so many of those who are here that another promise could not be
 * kept: each of them rates a song once. A circle that is just beginning may promise more than it could
 * keep today, because it grows: as long as more people are left than have rated the song, and no more
 * than one promise is open.
 */
export function hasReachedAll({ received, owed, left }: Reach): boolean {
  const isBeginning = received <= left && owed < promisesAhead * ratingsPerSubmission;
  return !isBeginning && left < owed + ratingsPerSubmission;
}
