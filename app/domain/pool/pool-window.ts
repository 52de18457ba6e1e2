/** The number of songs that the carousel chooses from (spec section 9, "Carousel query"). */
export const poolSize = 150;
/** How much later than its timestamp a submission may be written, in milliseconds. */
const writeDelayMs = 60_000;
/** A viewer with fewer ratings and submissions than this walks from the start: it is short enough. */
const shortWalk = 100;

/** Up to `seenTo`, in epoch milliseconds, only the songs in `waiting` are left for the viewer. */
export interface PoolWindow {
  seenTo: number;
  /** Ids. */
  waiting: string[];
}

/** A song in the rotation that the viewer may rate; `owedSince` in epoch milliseconds. */
export type OwedSong = [songId: string, ownerId: string, trackId: string, owedSince: number];

/** What a walk through the rotation has found. */
export interface Walk {
  /** Where it began: the end of the window, or 0 without one. */
  seenTo: number;
  /** The songs that the window names and that can still be rated. */
  waiting: OwedSong[];
  /** The songs after the window, oldest promise first. */
  ahead: OwedSong[];
  /** The first 150 of both, in order. */
  due: OwedSong[];
  /** When the newest promise in the rotation was made; 0 if there is none. */
  lastOwedSince: number;
  /** How many songs the viewer has rated and submitted, in the rotation or not. */
  ratedCount: number;
  submittedCount: number;
}

/** Oldest promise first. */
export function inOrder(one: OwedSong, other: OwedSong): number {
  return one[3] - other[3] || (one[0] < other[0] ? -1 : 1);
}

/**
 * The windows that a viewer's next walk may begin with. The near one ends before the first song ahead,
 * so that no further songs have to wait; the far one ends before the last song of the pool. Null if
 * neither gets further. Songs enter the rotation behind all others and never move forward, so that a
 * song passed once needs a second look only if it can still be rated.
 */
export function nextWindows(walk: Walk): { near: PoolWindow; far: PoolWindow } | null {
  const { seenTo, waiting, ahead, due, lastOwedSince, ratedCount, submittedCount } = walk;
  if (ratedCount + submittedCount < shortWalk) return null;
  const safe = lastOwedSince - writeDelayMs;
  const before = (song: OwedSong | undefined) => Math.min(song ? song[3] - 1 : safe, safe);
  const near = Math.max(seenTo, before(ahead[0]));
  const far = Math.max(near, before(due[poolSize - 1]));
  if (far === seenTo) return null;
  const nearIds = waiting.map(([songId]) => songId);
  const farIds = due.filter(([, , , owedSince]) => owedSince <= far).map(([songId]) => songId);
  return {
    near: { seenTo: near, waiting: nearIds },
    far: { seenTo: far, waiting: farIds },
  };
}
