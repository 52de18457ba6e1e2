import { dayMs } from "~/db/rules";
import { retentionDays } from "~/domain/retention/periods";

/**
 * How long a package lasts before a new one replaces it, in milliseconds. Without an end, a song that
 * Spotify no longer plays would keep its listeners from ever getting another.
 */
export const packageLifetimeMs = dayMs;

/**
 * What is remembered of a deleted account, so that deleting it and logging in again offers nothing that
 * staying would not. Times are epoch milliseconds.
 */
export interface Past {
  /** Songs that the account has rated, and until when it is offered none of them again. */
  rated: { songId: string; endsAt: number }[];
  /** The songs of the last package that were still to be rated; null if there were none. */
  drawn: { songIds: string[]; drawnAt: number } | null;
  /** Songs that the account has passed on. They count towards the limits, and are offered no more. */
  passed: PassedSong[];
}

/** A pass of a song. Times are epoch milliseconds. */
export interface PassedSong {
  songId: string;
  passedAt: number;
  /** When the package was drawn that the song was in, if it is the last one; else null. */
  drawnAt: number | null;
}

/** An account as its deletion finds it. Times are epoch milliseconds. */
export interface Leaving {
  /** What was remembered when it was made, if it is not the first one of its Spotify account. */
  before: Past | null;
  /** Its ratings of the last 30 days. */
  rated: { songId: string; ratedAt: number }[];
  /** Its package, if it has drawn one, with the songs that it has not rated. */
  drawn: Past["drawn"];
  /** Its passes of the last 30 days. */
  passed: PassedSong[];
}

/**
 * Until when a Spotify account must not rate a song, or count against it, again: for 30 days, and then
 * to the end of the day (UTC), so that the end does not tell when it did.
 * @param at when it did.
 */
export function markEnd(at: number): number {
  return endOfDay(at + retentionDays.ratingMarks * dayMs);
}

/** What there is to remember of an account that is deleted; null if there is nothing. */
export function pastOf({ before, rated, drawn, passed }: Leaving, now: number): Past | null {
  const ends = new Map(before?.rated.map(({ songId, endsAt }) => [songId, endsAt]));
  for (const { songId, ratedAt } of rated) ends.set(songId, markEnd(ratedAt));
  const all = [...ends].map(([songId, endsAt]) => ({ songId, endsAt }));
  // An account that was made and deleted without a draw leaves the draw before it as it was.
  return stillRemembered(
    {
      rated: all,
      drawn: drawn ?? before?.drawn ?? null,
      passed: [...(before?.passed ?? []), ...passed],
    },
    now,
  );
}

/**
 * The part of a past that has not ended; null if all of it has.
 * @param past one that was kept before there were passes has none.
 */
export function stillRemembered(
  past: Omit<Past, "passed"> & Partial<Past>,
  now: number,
): Past | null {
  const rated = past.rated.filter(({ endsAt }) => endsAt > now);
  const passed = past.passed?.filter(({ passedAt }) => markEnd(passedAt) > now) ?? [];
  const { drawn } = past;
  const isOpen = drawn && drawn.songIds.length > 0 && now - drawn.drawnAt < packageLifetimeMs;
  if (rated.length === 0 && passed.length === 0 && !isOpen) return null;
  return { rated, drawn: isOpen ? drawn : null, passed };
}

/** The day's end by which all of a past has ended. */
export function pastEnd({ rated, drawn, passed }: Past): number {
  const drawEnds = drawn ? [endOfDay(drawn.drawnAt + packageLifetimeMs)] : [];
  const passEnds = passed.map(({ passedAt }) => markEnd(passedAt));
  return Math.max(...drawEnds, ...passEnds, ...rated.map(({ endsAt }) => endsAt));
}

function endOfDay(time: number): number {
  return Math.ceil(time / dayMs) * dayMs;
}
