/** The number of songs that the carousel chooses from (rule 7). */
export const poolSize = 150;
/** Time that a write may land after its timestamp, in milliseconds. */
const writeDelayMs = 60_000;
/** Ratings, passes and submissions below which a viewer needs no window: the walk is short enough. */
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
  recording: string,
  lineSince: number,
  ...rest: unknown[],
];

/** The outcome of a walk along the line. */
export interface Walk {
  /** Its beginning: the end of the window, or 0 without one. */
  seenTo: number;
  /** The first 150 songs found, in the order of the line. */
  due: SongInLine[];
  /** When the last song in line joined it; 0 if there is none. */
  lastLineSince: number;
  /** Songs that the viewer has rated, passed on and submitted, in the rotation or not. */
  ratedCount: number;
  passedCount: number;
  submittedCount: number;
  /** When the viewer deleted an earlier account, whose songs the walk passes too; null if never. */
  leftAt: number | null;
}

/** Compares two songs by the order of the line. */
export function inOrder(
  [oneId, , , oneSince]: SongInLine,
  [otherId, , , otherSince]: SongInLine,
): number {
  return oneSince - otherSince || (oneId < otherId ? -1 : 1);
}

/**
 * The window that a viewer's next walk may begin with; null if it has not advanced. It ends before the last
 * song of the pool, so that a walk passes 300 songs at most, however far apart those left are. Songs join
 * the line behind all others and never move forward in it, so that a song once passed needs a second look
 * only if it can still be rated.
 */
export function nextWindow(walk: Walk): PoolWindow | null {
  const { due, lastLineSince } = walk;
  const songsBehind = walk.ratedCount + walk.passedCount + walk.submittedCount;
  if (songsBehind < shortWalk && walk.leftAt === null) return null;
  const safe = lastLineSince - writeDelayMs;
  const [, , , lastSince = Number.POSITIVE_INFINITY] = due[poolSize - 1] ?? [];
  const seenTo = Math.max(walk.seenTo, Math.min(lastSince - 1, safe));
  if (seenTo === walk.seenTo) return null;
  const waiting = due.filter(([, , , lineSince]) => lineSince <= seenTo);
  return { seenTo, waiting: waiting.map(([songId]) => songId) };
}
