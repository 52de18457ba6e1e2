export const poolSize = 150;
/** Longest delay between a row's timestamp and its commit. */
const writeDelayMs = 60_000;
const shortWalk = 100;

/** Up to `seenTo`, only the songs in `waiting` are left for the viewer. */
export interface PoolWindow {
  seenTo: number;
  waiting: string[];
}

export type SongInLine = [
  songId: string,
  ownerId: string,
  recording: string,
  lineSince: number,
  ...rest: unknown[],
];

/** The outcome of a scan of the line, from the end of the window on. */
export interface Walk {
  seenTo: number;
  /** The first 150 songs found, in the order of the line. */
  due: SongInLine[];
  lastLineSince: number;
  ratedCount: number;
  passedCount: number;
  submittedCount: number;
  /** When the viewer deleted an earlier account, whose rated songs the scan passes too. */
  leftAt: number | null;
}

export function inOrder(
  [oneId, , , oneSince]: SongInLine,
  [otherId, , , otherSince]: SongInLine,
): number {
  return oneSince - otherSince || (oneId < otherId ? -1 : 1);
}

/**
 * Cursor for the next scan, placed just before the last match, so that one scan reads at most 300 rows;
 * null if it has not advanced. Songs join the line at its end and never move forward, so only a song in
 * `waiting` can still be rated behind the cursor.
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
