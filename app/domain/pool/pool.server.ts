import { desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { poolWindows, songs, users } from "~/db/schema";
import { type DueSong, inOrder, nextWindows, type PoolWindow, poolSize } from "./pool-window";
import type { PoolSong } from "./select";

/** What a viewer may rate, and how far the walk to it has come. */
export interface Pool {
  /** Oldest promise first, 150 at most. */
  songs: PoolSong[];
  /** What the next walk may begin with; null where it is short anyway. */
  windows: { near: PoolWindow; far: PoolWindow } | null;
}

/** So many songs from the near window's end to the far one's make the far one the better. */
const longWalk = 400;

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
    .select({ owedSince: songs.owedSince })
    .from(songs)
    .where(gt(songs.owedSince, 0))
    .orderBy(desc(songs.owedSince))
    .limit(1);
  return db
    .select({
      seenTo: poolWindows.seenTo,
      lastDue: sql<number | null>`${lastDue}`.as("last_due"),
      waiting: listed(
        sql`json_each(pool_windows.waiting) CROSS JOIN songs
            WHERE songs.id = json_each.value AND songs.owed_since IS NOT NULL AND ${ratable}`,
      ).as("waiting_songs"),
      // A range, so that the partial index is searched and not scanned.
      ahead: listed(
        sql`songs WHERE songs.owed_since > coalesce(pool_windows.seen_to, 0) AND ${ratable}
            ORDER BY songs.owed_since, songs.id LIMIT ${poolSize}`,
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
  return sql`(SELECT json_group_array(json_array(id, owner_id, track_id, owed_since)) FROM (
      SELECT songs.id, songs.owner_id, songs.track_id, songs.owed_since FROM ${songs}))`.mapWith(
    (value: string): DueSong[] => JSON.parse(value),
  );
}

/** The pool in the rows of `selectPool`; without a viewer it is empty. */
export function parsePool(rows: Awaited<ReturnType<typeof selectPool>>): Pool {
  const row = rows[0];
  if (!row) return { songs: [], windows: null };
  const { seenTo, lastDue, waiting, ahead } = row;
  // One that was submitted again may be waiting and ahead.
  const known = new Map([...waiting, ...ahead].map((song) => [song[0], song]));
  const due = [...known.values()].sort(inOrder).slice(0, poolSize);
  return {
    songs: due.map(([songId, ownerId, trackId]) => ({ songId, ownerId, trackId })),
    windows: nextWindows({ ...row, due, seenTo: seenTo ?? 0, lastDue: lastDue ?? 0 }),
  };
}

/**
 * The statement that keeps how far a viewer's walk has come, or null where that is of no use: the near
 * window, which has fewer songs wait, or the far one, where from one to the other it is a long way.
 */
export function keepWindow(db: Database, userId: string, { windows }: Pool, now: number) {
  if (!windows) return null;
  const { near, far } = windows;
  const between = sql`SELECT 1 FROM songs
    WHERE owed_since > ${near.seenTo} AND owed_since <= ${far.seenTo} LIMIT ${longWalk}`;
  // Columns in the order of the table.
  return db
    .insert(poolWindows)
    .select(
      sql`SELECT ${userId}, iif(long, ${far.seenTo}, ${near.seenTo}),
            iif(long, ${JSON.stringify(far.waiting)}, ${JSON.stringify(near.waiting)}), ${now}
          FROM (SELECT count(*) = ${longWalk} AS long FROM (${between})) WHERE true`,
    )
    .onConflictDoUpdate({
      target: poolWindows.userId,
      set: {
        seenTo: sql`excluded.seen_to`,
        waiting: sql`excluded.waiting`,
        updatedAt: sql`excluded.updated_at`,
      },
    });
}
