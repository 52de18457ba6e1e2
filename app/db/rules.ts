/** Numbers of the rules that the database's constraints hold too. */

/** Rule 24, submission. */
export const ratingsPerSubmission = 5;

/** Rule 17, labels. */
export const minScore = 1;
export const maxScore = 4;
/** "Added to my playlist!" (rule 21, true additions). */
export const playlistScore = 4;

/** Rule 13, required time. */
export const minListeningSeconds = 3;

/**
 * The shortest song that can be rated. A listener hears its length less a second, so a shorter one ends
 * before it unlocks.
 */
export const minSongMs = (minListeningSeconds + 1) * 1000;

/** Visit and slide cycle from 1 to this (rule 10, counters). */
export const cycleLength = 3;

/** Rule 20, reasons. */
export const aspectCount = 6;
export const mostReasons = 3;

/** Rule 22, passes. */
export const maxPassesPerPackage = 2;
export const maxPassesPerDay = 6;

/** Rule 23, reports. */
export const maxReportsPerDay = 3;

/** Rule 49, notices. */
export const maxNoticesPerDay = 3;
export const maxOpenNotices = 200;
export const answerDays = 5;

/** Rule 21, true additions: the track must get into a playlist within it to be counted. */
export const playlistWindowMs = 24 * 60 * 60_000;

/** Rule 18, one rating. */
export const scoreChangeWindowMs = 60_000;

/** Rule 41, codes. */
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
