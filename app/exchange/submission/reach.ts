import { minSongMs, ratingsPerSubmission } from "~/db/rules";
import type { FoundTrack } from "~/spotify/spotify";

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

/** The reason for which nobody can rate a track, for its owner to read; null if it can be rated. */
export function whyUnratable({ playable, durationMs }: FoundTrack): string | null {
  if (!playable) {
    return "Spotify does not play this song at the moment, so nobody could listen to it. Please choose another one, or come back when it plays there.";
  }
  if (durationMs < minSongMs) {
    return `This song is too short to be rated: a song has to last at least ${minSongMs / 1000} seconds. Please choose another one.`;
  }
  return null;
}
