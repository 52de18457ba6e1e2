/** Numbers of the rules that the database's constraints hold too. */

/** Ratings that each submission of a song is promised (rule 24). */
export const ratingsPerSubmission = 5;

/** The lowest and the highest rating (rule 17). */
export const minScore = 1;
export const maxScore = 4;
/** The rating that says the song is in a playlist of the listener's (rule 21). */
export const playlistScore = 4;

/** The shortest listening time, in seconds (rule 13). */
export const minListeningSeconds = 3;

/**
 * The shortest song that can be rated, in milliseconds. A listener hears its length less a second, and
 * at least the time above: a shorter song ends before it unlocks.
 */
export const minSongMs = (minListeningSeconds + 1) * 1000;

/** Visit counter and slide number each cycle from 1 to this (rule 10). */
export const cycleLength = 3;

/** Aspects that a rating's reasons are chosen from, and the most that one may name (rule 20). */
export const aspectCount = 6;
export const mostReasons = 3;

/** Songs that a user may pass on, of one package and within 24 hours (rule 22). */
export const maxPassesPerPackage = 2;
export const maxPassesPerDay = 6;

/** Songs that a user may report within 24 hours (rule 23). */
export const maxReportsPerDay = 3;

/** Time after a rating in which its giver may change the score, in milliseconds (rule 18). */
export const scoreChangeWindowMs = 60_000;
