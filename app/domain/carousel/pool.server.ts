import { desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { poolWindows, songs, users } from "~/db/schema";
import type { PoolSong } from "./select";

/** Songs the carousel looks at (spec section 9, "Carousel query"). */
const poolSize = 150;
/** A promise may be written down so much later than its clock was read, in milliseconds. */
const lateMs = 60_000;
/** For somebody who has to do with fewer songs than this, the walk from the start is short enough. */
const shortWalk = 100;

/** What a viewer may rate, and how far the walk to it has come. */
export interface Pool {
  /** Oldest promise first, 150 at most. */
  songs: PoolSong[];
  /** What to keep of the walk so that the next one begins further on; null where that is known. */
  window: PoolWindow | null;
}

/** All songs due until `seenTo`, epoch milliseconds, are done with, but for those that are waiting. */
interface PoolWindow {
  seenTo: number;
  waiting: string[];
}

/**
 * The statement that reads the pool: songs still owed ratings, oldest promise first, that are not
 * the viewer's and not yet rated by the viewer. Tracks the viewer has submitted too count as the
 * viewer's own. Begins at the viewer's row, so that without a viewer nothing is read at all, and
 * then walks one index from where the viewer's window ends: its cost grows neither with the table
 * nor with what the viewer has rated.
 * @param viewerId a user id, or an expression that yields one.
 */
export function selectPool(db: Database, viewerId: string | SQL<string>) {
  const lastDue = db
    .select({ dueAt: songs.dueAt })
    .from(songs)
    .where(gt(songs.dueAt, 0))
    .orderBy(desc(songs.dueAt))
    .limit(1);
  return db
    .select({
      seenTo: poolWindows.seenTo,
      lastDue: sql<number | null>`${lastDue}`.as("last_due"),
      waiting: listed(
        sql`json_each(pool_windows.waiting) CROSS JOIN songs
            WHERE songs.id = json_each.value AND songs.due_at IS NOT NULL AND ${ratable}`,
      ).as("waiting_songs"),
      // A range, so that the partial index is searched and not scanned.
      ahead: listed(
        sql`songs WHERE songs.due_at > coalesce(pool_windows.seen_to, 0) AND ${ratable}
            ORDER BY songs.due_at, songs.id LIMIT ${poolSize}`,
      ).as("songs_ahead"),
      ratedCount: users.ratedCount,
      submittedCount: users.submittedCount,
    })
    .from(users)
    .leftJoin(poolWindows, eq(poolWindows.userId, users.id))
    .where(eq(users.id, viewerId));
}

/** What makes a song one that the viewer may rate, the rotation apart. */
const ratable = sql`songs.owner_id <> users.id
  AND NOT EXISTS (SELECT 1 FROM ratings
                  WHERE ratings.rater_id = users.id AND ratings.song_id = songs.id)
  AND NOT EXISTS (SELECT 1 FROM songs AS own
                  WHERE own.owner_id = users.id AND own.track_id = songs.track_id)`;

/** Songs as one JSON value, which is less to send and to read than as many rows. */
function listed(songs: SQL) {
  return sql`(SELECT json_group_array(json_array(id, owner_id, track_id, due_at)) FROM (
      SELECT songs.id, songs.owner_id, songs.track_id, songs.due_at FROM ${songs}))`.mapWith(
    (value: string): DueSong[] => JSON.parse(value),
  );
}

type DueSong = [songId: string, ownerId: string, trackId: string, dueAt: number];

/** The pool in the rows of `selectPool`; without a viewer it is empty. */
export function toPool(rows: Awaited<ReturnType<typeof selectPool>>): Pool {
  const row = rows[0];
  if (!row) return { songs: [], window: null };
  // One that was submitted again may be waiting and ahead.
  const known = new Map([...row.waiting, ...row.ahead].map((song) => [song[0], song]));
  const due = [...known.values()].sort(inOrder).slice(0, poolSize);
  return {
    songs: due.map(([songId, ownerId, trackId]) => ({ songId, ownerId, trackId })),
    window: row.ratedCount + row.submittedCount < shortWalk ? null : nextWindow(due, row),
  };
}

function inOrder(one: DueSong, other: DueSong): number {
  return one[3] - other[3] || (one[0] < other[0] ? -1 : 1);
}

/**
 * A song is put into the rotation behind all others, and never moves forward in it: what the walk has
 * passed needs no second look, but for the songs it has found.
 */
function nextWindow(
  due: DueSong[],
  { seenTo, lastDue }: { seenTo: number | null; lastDue: number | null },
): PoolWindow | null {
  const last = due[poolSize - 1];
  const walkedTo = Math.min(last ? last[3] - 1 : Number.POSITIVE_INFINITY, (lastDue ?? 0) - lateMs);
  if (walkedTo <= (seenTo ?? 0)) return null;
  const waiting = due.filter(([, , , dueAt]) => dueAt <= walkedTo);
  return { seenTo: walkedTo, waiting: waiting.map(([songId]) => songId) };
}

/** The statement that keeps how far a viewer's walk has come, or null where there is nothing new. */
export function keepWindow(db: Database, userId: string, { window }: Pool, now: number) {
  if (!window) return null;
  const kept = { ...window, updatedAt: now };
  return db
    .insert(poolWindows)
    .values({ userId, ...kept })
    .onConflictDoUpdate({ target: poolWindows.userId, set: kept });
}
