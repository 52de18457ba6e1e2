import { ratingsPerSubmission } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { visitTimeoutMs } from "~/members/visit";
import type { Track } from "~/spotify/track";

/** A line in a panel of "Ratings of my songs", without the rating's id or the rater. */
export interface RatingLine {
  score: Score;
  /** Epoch milliseconds. */
  ratedAt: number;
  /** True for a rating since the owner's last visit. */
  isNew: boolean;
}

export interface SongRatingsPanel
  extends Pick<Track, "title" | "artists" | "artUrl" | "smallerArt" | "spotifyUrl"> {
  songId: string;
  entitled: number;
  received: number;
  /** Ratings still owed. */
  owed: number;
  /** True while the song is out of the rotation; `withdrawn` if the owner took it out. */
  resting: boolean;
  withdrawn: boolean;
  /** The operator's reason for taking it out; null if they have not. */
  takenOut: string | null;
  /** The newest scores that the tier shows, from worst to best. */
  scores: Score[];
  /** The newest ratings that the tier shows, newest first; two at most for free users. */
  lines: RatingLine[];
  /** Number of ratings that the tier does not show. */
  hidden: number;
  /** True on the owner's first look after five more ratings are complete. */
  drawn: boolean;
}

/** Songs on a page of a list. */
export const songsPerPage = 20;
/** Ratings that a song's panel shows as dots, and as lines. The song's own page shows all of them. */
export const dotsPerPanel = 20;
export const linesPerPanel = 10;

/** The user's looks at the ratings of their songs (columns of `users`). */
export interface RatingsLooks {
  /** The last look; null if there was none. */
  seenAt: number | null;
  /** The last look before the current visit; null if there was none. */
  newsSince: number | null;
}

/**
 * Records another look. Ratings since `newsSince` are news: songs stay marked until the visit is over,
 * whichever pages are opened meanwhile. The first look has no news.
 * @param now epoch milliseconds.
 */
export function recordLook({ seenAt, newsSince }: RatingsLooks, now: number): RatingsLooks {
  if (seenAt === null) return { seenAt: now, newsSince: now };
  return { seenAt: now, newsSince: now - seenAt >= visitTimeoutMs ? seenAt : newsSince };
}

/**
 * Checks whether the last five of a song's ratings were completed after a given time.
 * @param song `newest` are the scores and times of its newest ratings, newest first.
 * @param since in epoch milliseconds, like the times of the ratings.
 */
export function isCompleteSince(
  { received, newest }: { received: number; newest: [score: number, at: number][] },
  since: number,
): boolean {
  const [, at = 0] = newest[received % ratingsPerSubmission] ?? [];
  return received >= ratingsPerSubmission && at > since;
}

/** The place of a song in a list that is ordered by time, newest first. */
export interface Cursor {
  /** Epoch milliseconds. */
  at: number;
  songId: string;
}

/** The place before the newest song of a list. */
export const beginning: Cursor = { at: Number.MAX_SAFE_INTEGER, songId: "" };

/** A place as it is written in a URL. */
export function placeText({ at, songId }: Cursor): string {
  return `${at.toString(36)}.${songId}`;
}

/** The place that a URL names; null if it names none. */
export function placeFrom(text: string | null): Cursor | null {
  const [, time = "", songId = ""] = /^([0-9a-z]{1,11})\.(.{1,64})$/.exec(text ?? "") ?? [];
  const at = Number.parseInt(time, 36);
  return songId && Number.isSafeInteger(at) ? { at, songId } : null;
}
