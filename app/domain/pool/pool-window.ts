/** Songs the carousel looks at (spec section 9, "Carousel query"). */
export const poolSize = 150;
/** A promise may be written down so much later than its clock was read, in milliseconds. */
const lateMs = 60_000;
/** For somebody who has to do with fewer songs than this, the walk from the start is short enough. */
const shortWalk = 100;

/** All songs due until `seenTo`, epoch milliseconds, are done with, but for those that are waiting. */
export interface PoolWindow {
  seenTo: number;
  /** Ids. */
  waiting: string[];
}

/** A song in the rotation that the viewer may rate; `owedSince` in epoch milliseconds. */
export type DueSong = [songId: string, ownerId: string, trackId: string, owedSince: number];

/** What a walk through the rotation has come upon. */
export interface Walk {
  /** Where it began: what the window says, 0 without one. */
  seenTo: number;
  /** Those that the window names and that can still be rated. */
  waiting: DueSong[];
  /** The next ones, oldest promise first. */
  ahead: DueSong[];
  /** The first 150 of both, in order. */
  due: DueSong[];
  /** When the last song of the rotation is due, 0 where there is none. */
  lastDue: number;
  /** How many songs the viewer has rated, and submitted, whether in the rotation or not. */
  ratedCount: number;
  submittedCount: number;
}

/** Oldest promise first. */
export function inOrder(one: DueSong, other: DueSong): number {
  return one[3] - other[3] || (one[0] < other[0] ? -1 : 1);
}

/**
 * The windows that a viewer's next walk may begin with: the near one ends before the first song ahead,
 * so that no more songs wait than do already; the far one ends before the last of the pool. Null where
 * neither gets further. A song is put into the rotation behind all others and never moves forward in
 * it: what was passed needs no second look, but for the songs that can still be rated.
 */
export function nextWindows(walk: Walk): { near: PoolWindow; far: PoolWindow } | null {
  const { seenTo, waiting, ahead, due, lastDue, ratedCount, submittedCount } = walk;
  if (ratedCount + submittedCount < shortWalk) return null;
  const safe = lastDue - lateMs;
  const before = (song: DueSong | undefined) => Math.min(song ? song[3] - 1 : safe, safe);
  const near = Math.max(seenTo, before(ahead[0]));
  const far = Math.max(near, before(due[poolSize - 1]));
  if (far === seenTo) return null;
  const nearIds = waiting.map(([songId]) => songId);
  const farIds = due.filter(([, , , owedSince]) => owedSince <= far).map(([songId]) => songId);
  return {
    near: { seenTo: near, waiting: nearIds },
    far: far === near ? { seenTo: near, waiting: nearIds } : { seenTo: far, waiting: farIds },
  };
}
