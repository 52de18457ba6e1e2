export const poolSize = 150;
/** Longest delay between a row's timestamp and its commit. */
const writeDelayMs = 60_000;
const shortScan = 100;

/** Up to `seenTo`, only the songs in `waiting` are left for the viewer. */
export interface PoolWindow {
  seenTo: number;
  waiting: string[];
}

export interface SongInLine {
  songId: string;
  /** When it came into line. */
  since: number;
}

/** The outcome of a scan of the line, from the end of the window on. */
export interface Scan {
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

export function inOrder(one: SongInLine, other: SongInLine): number {
  return one.since - other.since || (one.songId < other.songId ? -1 : 1);
}

/**
 * Cursor for the next scan, placed just before the last match, so that one scan reads at most 300 rows;
 * null if it has not advanced. Songs join the line at its end and never move forward, so only a song in
 * `waiting` can still be rated behind the cursor.
 */
export function nextWindow(scan: Scan): PoolWindow | null {
  const { due, lastLineSince } = scan;
  const songsBehind = scan.ratedCount + scan.passedCount + scan.submittedCount;
  if (songsBehind < shortScan && scan.leftAt === null) return null;
  const safe = lastLineSince - writeDelayMs;
  const lastSince = due[poolSize - 1]?.since ?? Number.POSITIVE_INFINITY;
  const seenTo = Math.max(scan.seenTo, Math.min(lastSince - 1, safe));
  if (seenTo === scan.seenTo) return null;
  const waiting = due.filter(({ since }) => since <= seenTo);
  return { seenTo, waiting: waiting.map(({ songId }) => songId) };
}
