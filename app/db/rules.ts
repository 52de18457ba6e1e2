/** Numbers of the rules that the database's constraints hold too. */

/** Rule 24. */
export const ratingsPerSubmission = 5;

/** Rule 17. */
export const minScore = 1;
export const maxScore = 4;
/** "Added to my playlist!" (rule 21). */
export const playlistScore = 4;

/** Rule 13. */
export const minListeningSeconds = 3;

/**
 * The shortest song that can be rated. A listener hears its length less a second, so a shorter one ends
 * before it unlocks.
 */
export const minSongMs = (minListeningSeconds + 1) * 1000;

/** Visit and slide cycle from 1 to this (rule 10). */
export const cycleLength = 3;

/** Rule 20. */
export const aspectCount = 6;
export const mostReasons = 3;

/** Rule 22. */
export const maxPassesPerPackage = 2;
export const maxPassesPerDay = 6;

/** Rule 23. */
export const maxReportsPerDay = 3;

/** Rule 21: the track must get into a playlist within it to be counted. */
export const playlistWindowMs = 24 * 60 * 60_000;

/** Rule 18. */
export const scoreChangeWindowMs = 60_000;

/** Rule 41. */
export const maxCodeTries = 5;

/** Colours of covers (app/covers/tint.ts) are numbered from 0; this one is for what has none. */
export const grey = 48;

/** What limits of mailed proofs may go by: each has an index. */
export const proofsCountedBy = [
  "askedBy",
  "fingerprint",
  "asker",
  "asker56",
  "asker48",
  "spotifyWay",
  "mailboxWay",
] as const;
