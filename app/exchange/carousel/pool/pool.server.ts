import { desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { dayMs } from "~/db/rules";
import { departures, poolWindows, songs, users } from "~/db/schema";
import { isClosedTo, isOwnRecording } from "~/exchange/recording.server";
import { cooldownUntil } from "~/members/away";
import type { Credits, Listener } from "./part-in-song";
import { inOrder, nextWindow, type PoolWindow, poolSize } from "./pool-window";
import { eligibleSongs, type PoolSong, ratableSongs, type SongsLeft } from "./select";

/** The songs that a viewer may rate, and the window of the next walk along the line. */
export interface Pool {
  /** Those in line first, 150 at most. */
  songs: PoolSong[];
  /** The latest songs that the viewer has passed on, if they are still in the rotation. */
  passed: (PoolSong & { passedAt: number | null })[];
  /** The names and ids by which a song can credit the viewer. */
  listener: Listener;
  /** When the viewer last submitted a song that cost nothing, in epoch milliseconds; null if never. */
  lastFree: number | null;
  /** The window that the next walk may begin with; null if the walk is short anyway. */
  window: PoolWindow | null;
}

/**
 * The part of the pool that a viewer may choose from. The songs passed on lately count for the terms of a
 * submission, so that nobody lowers the price by passing.
 */
export interface ViewersPool extends SongsLeft, Pick<Pool, "lastFree"> {
  /** The songs that a package is drawn from, oldest promise first. */
  eligible: PoolSong[];
  /** Number of songs that the walk has found, whether or not they can be chosen. */
  found: number;
  /** End of the time in which the viewer is away (rule 37), in epoch milliseconds; null if they are not. */
  awayUntil: number | null;
  window: PoolWindow | null;
}

/** The latest passes that are looked at for the terms of a submission: many more than any tier pays. */
const recentPasses = 30;

/** Time in which a song that was passed on counts for these terms, in milliseconds. */
const passCountsMs = 30 * dayMs;

/**
 * The statement that reads the pool: songs that are still owed ratings, oldest promise first, whose recording
 * is not the viewer's and which the viewer has neither rated nor passed on, under whatever id. The line holds two songs of each owner. Where it has fewer than 150 for
 * the viewer, those behind it fill up the pool, so that a viewer who has rated an owner's two finds the
 * third.
 *
 * The statement begins at the viewer's row, so that without a viewer it reads nothing, and then walks
 * along the line from where the viewer's window ends. Its cost grows neither with the table, nor with
 * the songs of one owner, nor with those that the viewer has rated.
 * @param viewerId a user id, or an expression that yields one.
 * @param most the number of songs after which the walk ends. Callers that draw songs or keep the window
 *   must leave it out: they need the whole pool.
 */
export function selectPool(
  db: Database,
  viewerId: string | SQL<string>,
  limit: number | SQL<number> = poolSize,
) {
  const lastLineSince = db
    .select({ lineSince: songs.lineSince })
    .from(songs)
    .where(gt(songs.lineSince, 0))
    .orderBy(desc(songs.lineSince))
    .limit(1);
  return db
    .select({
      seenTo: poolWindows.seenTo,
      lastLineSince: sql<number | null>`${lastLineSince}`.as("last_line_since"),
      waiting: listed(
        sql`SELECT ${columns}
            FROM json_each(pool_windows.waiting) CROSS JOIN songs
            WHERE songs.id = json_each.value AND songs.line_since IS NOT NULL AND ${ratable}
            LIMIT ${limit}`,
      ).as("waiting_songs"),
      // Ranges, so that the partial indexes are searched and not scanned. The songs of the first part count
      // towards the limit, so that the second is read only as far as it is needed.
      found: listed(
        sql`SELECT * FROM (
              SELECT ${columns} FROM songs
              WHERE songs.line_since > coalesce(pool_windows.seen_to, 0) AND ${ratable}
              ORDER BY songs.line_since, songs.id LIMIT ${poolSize})
            UNION ALL SELECT * FROM (
              SELECT ${columns} FROM (
                SELECT id, owed_since FROM songs
                WHERE owed_since > 0 AND line_since IS NULL AND resting_since IS NULL
                ORDER BY owed_since, id LIMIT ${poolSize}) AS behind
              CROSS JOIN songs ON songs.id = behind.id
              WHERE ${ratable} ORDER BY behind.owed_since, behind.id)
            LIMIT ${limit}`,
      ).as("songs_found"),
      passed: listed(
        // Of a recording with several songs, one in the rotation is enough.
        sql`SELECT songs.id, songs.owner_id, recent.recording, recent.created_at AS line_since,
              songs.artists, songs.artist_ids FROM (
              SELECT recording, created_at FROM passes WHERE user_id = users.id
              ORDER BY created_at DESC LIMIT ${recentPasses}) AS recent
            CROSS JOIN songs ON songs.id = (SELECT one.id FROM songs AS one
              WHERE one.recording = recent.recording
                AND one.owed_since > 0 AND one.resting_since IS NULL LIMIT 1)
            WHERE NOT ${isOwnRecording(sql`users.id`, sql`recent.recording`)}`,
      ).as("songs_passed"),
      lastFree: sql<number | null>`(SELECT max(created_at) FROM submissions
        WHERE owner_id = users.id AND spent = 0)`.as("last_free"),
      ratedCount: users.ratedCount,
      passedCount: users.passedCount,
      submittedCount: users.submittedCount,
      displayName: users.displayName,
      ownArtists: users.ownArtists,
      leftAt: departures.leftAt,
    })
    .from(users)
    .leftJoin(poolWindows, eq(poolWindows.userId, users.id))
    .leftJoin(departures, eq(departures.userId, users.id))
    .where(eq(users.id, viewerId));
}

const columns = sql`songs.id, songs.owner_id, songs.recording, songs.line_since,
  songs.artists, songs.artist_ids`;

/**
 * The condition for a song in the rotation to be one that the viewer may rate. Songs that credit the viewer
 * are left out later (`eligibleSongs`): names change, and the walk never comes back to a song that it passed.
 */
const ratable = sql`NOT ${isClosedTo(sql`users.id`, sql`songs.recording`)}`;

/** A song that the viewer may rate; `lineSince` is null for one that waits behind the line. */
type FoundSong<LineSince = number | null> = [
  songId: string,
  ownerId: string,
  recording: string,
  lineSince: LineSince,
  artists: Credits["artists"],
  artistIds: Credits["artistIds"],
];

/** Songs as one JSON value, which is cheaper to send and to read than as many rows. */
function listed(found: SQL) {
  return sql`(SELECT json_group_array(
        json_array(id, owner_id, recording, line_since, json(artists), json(artist_ids)))
      FROM (${found}))`.mapWith((value: string): FoundSong[] => JSON.parse(value));
}

type PoolRows = Awaited<ReturnType<typeof selectPool>>;

/** The pool from the rows of `selectPool`. Without a viewer it is empty. */
export function parsePool(rows: PoolRows): Pool {
  const row = rows[0];
  const nobody = { displayName: "", ownArtists: {} };
  if (!row) return { songs: [], passed: [], listener: nobody, lastFree: null, window: null };
  const { seenTo, lastLineSince, found, lastFree } = row;
  const waiting = row.waiting.filter(isInLine);
  const ahead = found.filter(isInLine);
  const behind = found.filter((song) => !isInLine(song));
  // A song that was submitted again may be both waiting and ahead.
  const known = new Map([...waiting, ...ahead].map((song) => [song[0], song]));
  const due = [...known.values()].sort(inOrder).slice(0, poolSize);
  const walk = { ...row, due, seenTo: seenTo ?? 0, lastLineSince: lastLineSince ?? 0 };
  return {
    songs: [...due, ...behind].slice(0, poolSize).map(toPoolSong),
    passed: row.passed.map((song) => ({ ...toPoolSong(song), passedAt: dateOf(song) })),
    listener: row,
    lastFree,
    window: nextWindow(walk),
  };
}

function toPoolSong([songId, ownerId, recording, , artists, artistIds]: FoundSong): PoolSong {
  return { songId, ownerId, recording, artists, artistIds };
}

function dateOf([, , , date]: FoundSong): number | null {
  return date;
}

function isInLine(song: FoundSong): song is FoundSong<number> {
  return dateOf(song) !== null;
}

/**
 * The viewer's pool, from the rows of `selectPool`: no song that credits the viewer, at most two songs of an
 * uploader, no recording twice; and none at all within a day of deleting an account.
 * @param now epoch milliseconds.
 */
export function openPool(
  rows: PoolRows,
  { userId }: { userId: string },
  { now }: { now: number },
): ViewersPool {
  const awayUntil = cooldownUntil(rows[0]?.leftAt ?? null, now);
  const { songs, passed, listener, lastFree, window } = parsePool(awayUntil === null ? rows : []);
  const viewer = { ...listener, userId };
  const eligible = (from: PoolSong[]) => eligibleSongs(from, viewer);
  // Their owners may submit them again, and nobody is to pay for one that was passed on long ago.
  const recentlyPassed = passed.filter(({ passedAt }) => (passedAt ?? 0) > now - passCountsMs);
  // A full pool has more songs behind it, so that leaving some out makes songs no scarcer.
  const isFull = songs.length >= poolSize;
  return {
    eligible: eligible(songs),
    found: songs.length,
    available: isFull ? songs.length : eligible([...recentlyPassed, ...songs]).length,
    toRate: ratableSongs(songs, viewer).length,
    staying: isFull ? songs.length : eligible(recentlyPassed).length,
    lastFree,
    awayUntil,
    window,
  };
}

/**
 * The statement that keeps a viewer's next window; null without one. It writes nothing if the window has not
 * advanced.
 * @param now the time of the walk, epoch milliseconds.
 */
export function keepWindow(
  db: Database,
  { userId, window, now }: { userId: string; window: PoolWindow | null; now: number },
) {
  if (!window) return null;
  const kept = insertSelect(db, poolWindows, {
    row: { userId, ...window, updatedAt: now },
    from: sql`WHERE EXISTS (SELECT 1 FROM users WHERE id = ${userId})`,
  }).onConflictDoUpdate({
    target: poolWindows.userId,
    set: {
      seenTo: sql`excluded.seen_to`,
      waiting: sql`excluded.waiting`,
      updatedAt: sql`excluded.updated_at`,
    },
    setWhere: sql`excluded.seen_to > pool_windows.seen_to`,
  });
  return kept.returning({ userId: poolWindows.userId });
}
