/** The number of songs that the carousel chooses from (rule 7). */
export const poolSize = 150;
/** How much later than its timestamp a submission may be written, in milliseconds. */
const writeDelayMs = 60_000;
/** A viewer with fewer ratings, passes and submissions than this walks from the start: it is short enough. */
const shortWalk = 100;

/** Up to `seenTo`, in epoch milliseconds, only the songs in `waiting` are left for the viewer. */
export interface PoolWindow {
  seenTo: number;
  /** Ids. */
  waiting: string[];
}

/** A song in line that the viewer may rate; `lineSince` in epoch milliseconds. The rest is its credits. */
export type SongInLine = [
  songId: string,
  ownerId: string,
  trackId: string,
  lineSince: number,
  ...rest: unknown[],
];

/** What a walk along the line has found. */
export interface Walk {
  /** Where it began: the end of the window, or 0 without one. */
  seenTo: number;
  /** The songs that the window names and that can still be rated. */
  waiting: SongInLine[];
  /** The songs after the window, in the order of the line. */
  ahead: SongInLine[];
  /** The first 150 of both, in order. */
  due: SongInLine[];
  /** Since when the last song in line stands there; 0 if there is none. */
  lastLineSince: number;
  /** How many songs the viewer has rated, passed on and submitted, in the rotation or not. */
  ratedCount: number;
  passedCount: number;
  submittedCount: number;
  /** When the viewer deleted an earlier account, whose songs the walk passes too; null if never. */
  leftAt: number | null;
}

/** In the order of the line. */
export function inOrder(one: SongInLine, other: SongInLine): number {
  return one[3] - other[3] || (one[0] < other[0] ? -1 : 1);
}

/**
 * The windows that a viewer's next walk may begin with. The near one ends before the first song ahead,
 * so that no further songs have to wait; the far one ends before the last song of the pool. Null if
 * neither gets further. Songs join the line behind all others and never move forward in it, so that a
 * song passed once needs a second look only if it can still be rated.
 */
export function nextWindows(walk: Walk): { near: PoolWindow; far: PoolWindow } | null {
  const { seenTo, waiting, ahead, due, lastLineSince } = walk;
  const passes = walk.ratedCount + walk.passedCount + walk.submittedCount;
  if (passes < shortWalk && walk.leftAt === null) return null;
  const safe = lastLineSince - writeDelayMs;
  const before = (song: SongInLine | undefined) => Math.min(song ? song[3] - 1 : safe, safe);
  const near = Math.max(seenTo, before(ahead[0]));
  const far = Math.max(near, before(due[poolSize - 1]));
  if (far === seenTo) return null;
  const nearIds = waiting.map(([songId]) => songId);
  const farIds = due.filter(([, , , lineSince]) => lineSince <= far).map(([songId]) => songId);
  return {
    near: { seenTo: near, waiting: nearIds },
    far: { seenTo: far, waiting: farIds },
  };
}
