import { ratingsPerSubmission } from "~/db/rules";
import type { Score } from "~/exchange/rating/scale";
import { visitTimeoutMs } from "~/members/visit";
import type { Song } from "~/sources/song";

/** Without the rating's id or the rater. */
export interface RatingLine {
  score: Score;
  ratedAt: number;
  isNew: boolean;
}

export interface SongRatingsPanel
  extends Pick<
    Song,
    "title" | "artists" | "artUrl" | "smallerArt" | "tint" | "spotifyUrl" | "explicit"
  > {
  songId: string;
  entitled: number;
  received: number;
  owed: number;
  /** Out of the rotation; `withdrawn` if the owner took it out. */
  resting: boolean;
  withdrawn: boolean;
  takenOut: string | null;
  /** The newest that the tier shows, from worst to best. */
  scores: Score[];
  /** The newest that the tier shows, newest first. */
  lines: RatingLine[];
  hidden: number;
  /** They open once all five are in. */
  sealed: number;
  /** What its scores say, in few words. */
  said: string;
  /** When the usual wait is over; null where that is not known. */
  usuallyBy: number | null;
  /** The first look after five more ratings are complete. */
  drawn: boolean;
}

export const songsPerPage = 20;
/** Among them are the newest two of four mixes. */
export const dotsPerPanel = 20;
export const linesPerPanel = 10;

export interface RatingsLooks {
  seenAt: number | null;
  /** The last look before the current visit. */
  newsSince: number | null;
}

/**
 * Ratings since `newsSince` are news. Songs stay marked until the visit is over, whichever pages are opened.
 * The first look has no news.
 */
export function recordLook({ seenAt, newsSince }: RatingsLooks, now: number): RatingsLooks {
  if (seenAt === null) return { seenAt: now, newsSince: now };
  return { seenAt: now, newsSince: now - seenAt >= visitTimeoutMs ? seenAt : newsSince };
}

/** Checks whether the last five of a song's ratings were completed after a time. `newest`: newest first. */
export function isCompleteSince(
  { received, sealed, newest }: { received: number; sealed: number; newest: { at: number }[] },
  since: number,
): boolean {
  const open = received - sealed;
  const { at = 0 } = newest[open % ratingsPerSubmission] ?? {};
  return open >= ratingsPerSubmission && at > since;
}

/** The newest of each mix, as many as the tier shows (rule 2, tiers). `ratings`: newest first. */
export function newestOfEach<Rating extends { mix: string | null }>(
  ratings: Rating[],
  most: number,
): Rating[] {
  return ratings.filter(
    ({ mix }, place) => ratings.slice(0, place).filter((newer) => newer.mix === mix).length < most,
  );
}

/** A place in a list that is ordered by time, newest first. */
export interface Cursor {
  at: number;
  songId: string;
}

export const beginning: Cursor = { at: Number.MAX_SAFE_INTEGER, songId: "" };

export function placeText({ at, songId }: Cursor): string {
  return `${at.toString(36)}.${songId}`;
}

export function placeFrom(text: string | null): Cursor | null {
  const [, time = "", songId = ""] = /^([0-9a-z]{1,11})\.(.{1,64})$/.exec(text ?? "") ?? [];
  const at = Number.parseInt(time, 36);
  return songId && Number.isSafeInteger(at) ? { at, songId } : null;
}
