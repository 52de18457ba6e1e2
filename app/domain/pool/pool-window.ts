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
  /** The first 150 songs found, in the order of the line. */
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
 * The window that a viewer's next walk may begin with; null if it gets no further. It ends before the last
 * song of the pool, so that a walk passes 300 songs at most, whatever lies between those left. Songs join
 * the line behind all others and never move forward in it, so that a song passed once needs a second look
 * only if it can still be rated.
 */
export function nextWindow(walk: Walk): PoolWindow | null {
  const { due, lastLineSince } = walk;
  const passes = walk.ratedCount + walk.passedCount + walk.submittedCount;
  if (passes < shortWalk && walk.leftAt === null) return null;
  const safe = lastLineSince - writeDelayMs;
  const last = due[poolSize - 1];
  const seenTo = Math.max(walk.seenTo, Math.min(last ? last[3] - 1 : safe, safe));
  if (seenTo === walk.seenTo) return null;
  const waiting = due.filter(([, , , lineSince]) => lineSince <= seenTo);
  return { seenTo, waiting: waiting.map(([songId]) => songId) };
}
