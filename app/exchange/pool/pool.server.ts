import { and, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { poolWindows, songs, users } from "~/db/schema";
import { cooldownUntil } from "~/members/away";
import { hearsMoreElsewhere } from "~/members/hearing.server";
import { tierConfigs } from "~/members/tiers";
import { dayMs } from "~/platform/dates";
import { isClosedTo, isOwnRecording } from "~/sources/recording.server";
import { isFullFrom, type Place } from "./place";
import { inOrder, nextWindow, type PoolWindow, poolSize } from "./pool-window";
import { eligibleSongs, type PoolSong, ratableSongs, type SongsLeft } from "./ratable";

/** What there is to rate, counted. Recently passed songs count for the price, so that nobody lowers it by passing. */
interface Counted extends SongsLeft {
  userId: string;
  found: number;
  lastFree: number | null;
  /** The end of the cooldown (rule 37, coming back); null outside it. */
  awayUntil: number | null;
}

/** The whole pool, to draw from. */
export interface Pool extends Counted {
  isWhole: true;
  eligible: PoolSong[];
  /** What the next scan begins with (`keepWindow`). */
  window: (PoolWindow & { hearsSpotify: boolean }) | null;
}

/** A look that ended early: it only counts, and nothing can be drawn from it. */
interface Glance extends Counted {
  isWhole: false;
}

const recentPasses = 30;

/** What a login is offered, with the songs left for the price (`SongsLeft`) as its account hears them (rule 25, price). */
export type InLogin<Looked> = Looked & {
  /** Of `toRate`, those that can be heard in this login. */
  here: number;
  /** Another login of the account hears more, and the songs left are of that one, all of them. */
  isElsewhere: boolean;
};

/** With an open package, twice the price is enough to know whether songs are scarce. */
const glanceSize = 2 * tierConfigs.free.ratingsToSubmit;

/** As text, because SQLite plans a statement anew each time that such a limit within it is bound. */
const mostSongs = sql<number>`${sql.raw(`${poolSize}`)}`;
const mostPasses = sql.raw(`${recentPasses}`);

/** Time in which a passed song counts for the price of a submission. */
const passCountsMs = 30 * dayMs;

/**
 * Reads the pool (rules 6 and 7) along the index `songs_in_line`: songs that are owed ratings, oldest
 * promise first, whose recording is not closed to the viewer. Where the line has fewer than 150 for them,
 * the songs behind it fill up the pool. Somebody who does not hear Spotify's songs gets own recordings alone,
 * along indexes of their own. Begins at the viewer's row and window, so that the cost does not grow with the
 * songs or the ratings. Where it `onlyCounts`, it ends early.
 */
export function selectPool(
  db: Database,
  viewerId: string | SQL<string>,
  {
    hears: heard,
    place,
    onlyCounts,
    only = sql`1`,
  }: {
    hears: boolean | SQL<boolean>;
    place: Parameters<typeof isFullFrom>[0];
    onlyCounts?: SQL;
    only?: SQL;
  },
) {
  const limit = onlyCounts ? sql`iif(${onlyCounts}, ${glanceSize}, ${mostSongs})` : mostSongs;
  const hears = typeof heard === "boolean" ? sql`${Number(heard)}` : heard;
  const listed = (found: SQL) => list(found, isFullFrom(place));
  const lastLineSince = db
    .select({ lineSince: songs.lineSince })
    .from(songs)
    .where(gt(songs.lineSince, 0))
    .orderBy(desc(songs.lineSince))
    .limit(1);
  return db
    .select({
      hearsSpotify: sql`${hears}`.mapWith(Boolean).as("hears"),
      seenTo: poolWindows.seenTo,
      lastLineSince: sql<number | null>`${lastLineSince}`.as("last_line_since"),
      waiting: listed(
        sql`SELECT ${columns}
            FROM json_each(pool_windows.waiting) CROSS JOIN songs
            WHERE songs.id = json_each.value AND songs.line_since IS NOT NULL AND ${ratable}
            LIMIT ${limit}`,
      ).as("waiting_songs"),
      found: sql`iif(${hears},
          ${listed(scan("songs", limit))}, ${listed(scan("songs_own", limit))})`
        .mapWith(readSongs)
        .as("songs_found"),
      passed: listed(
        // Of a recording with several songs, one in the rotation is enough.
        sql`SELECT songs.id, songs.owner_id, recent.recording, recent.created_at AS line_since,
              songs.artists, songs.artist_ids, songs.rated_from FROM (
              SELECT recording, created_at FROM passes WHERE user_id = users.id
              ORDER BY created_at DESC LIMIT ${mostPasses}) AS recent
            CROSS JOIN songs ON songs.id = (SELECT one.id FROM songs AS one
              WHERE one.recording = recent.recording
                AND one.owed_since > 0 AND one.resting_since IS NULL
                AND (${hears} OR one.track_id IS NULL) LIMIT 1)
            WHERE NOT ${isOwnRecording(sql`users.id`, sql`recent.recording`)}`,
      ).as("songs_passed"),
      lastFree: sql<number | null>`(SELECT max(created_at) FROM submissions
        WHERE owner_id = users.id AND spent = 0 AND request_key NOT LIKE 'round:%')`.as(
        "last_free",
      ),
      ratedCount: users.ratedCount,
      passedCount: users.passedCount,
      submittedCount: users.submittedCount,
      displayName: users.displayName,
      ownArtists: users.ownArtists,
      leftAt: sql<number | null>`(SELECT max(left_at) FROM departures
        WHERE departures.user_id = users.id)`.as("left_at"),
    })
    .from(users)
    .leftJoin(
      poolWindows,
      and(eq(poolWindows.userId, users.id), eq(poolWindows.hearsSpotify, hears)),
    )
    .where(sql`${users.id} = ${viewerId} AND ${only}`);
}

/** For `toWaiting`, which tells how many songs wait for somebody, and of more than ten only that. */
export function selectWaiting(
  db: Database,
  viewerId: string | SQL<string>,
  hears: boolean | SQL<boolean>,
) {
  return selectPool(db, viewerId, { hears, place: null, onlyCounts: sql`1` });
}

/** The same pool where another login of the account heard Spotify's songs lately; else no row. */
export function selectPoolElsewhere(
  db: Database,
  viewerId: string | SQL<string>,
  {
    hears,
    place,
    now,
  }: Pick<Parameters<typeof selectPool>[2], "place"> & {
    hears: SQL<boolean>;
    now: number | SQL<number>;
  },
) {
  return selectPool(db, viewerId, { hears: true, place, only: hearsMoreElsewhere(hears, now) });
}

/** Both pools of a viewer. Where Spotify is not open, nobody can come in by a login that hears more. */
export function selectPools(
  db: Database,
  viewerId: string | SQL<string>,
  {
    hears: heard,
    place,
    now,
    isSpotifyOpen,
  }: {
    hears: boolean | SQL<boolean>;
    place: Place | null;
    now: number;
    isSpotifyOpen: boolean;
  },
) {
  const hears = typeof heard === "boolean" ? sql<boolean>`${Number(heard)}` : heard;
  return {
    offered: selectPool(db, viewerId, { hears, place }),
    elsewhere: isSpotifyOpen ? selectPoolElsewhere(db, viewerId, { hears, place, now }) : null,
  };
}

/**
 * Ranges, so that the partial indexes can be searched. Of two that could, SQLite might take the longer one, so the
 * index is named. The limit ends the second part early.
 */
function scan(kind: "songs" | "songs_own", limit: SQL): SQL {
  const [inLine, behindLine] = [sql.raw(`${kind}_in_line`), sql.raw(`${kind}_behind_line`)];
  const isOfKind = kind === "songs_own" ? sql`track_id IS NULL` : sql`1`;
  return sql`SELECT * FROM (
      SELECT ${columns} FROM songs INDEXED BY ${inLine}
      WHERE songs.line_since > coalesce(pool_windows.seen_to, 0) AND ${isOfKind} AND ${ratable}
      ORDER BY songs.line_since, songs.id LIMIT ${mostSongs})
    UNION ALL SELECT * FROM (
      SELECT ${columns} FROM (
        SELECT id, owed_since FROM songs INDEXED BY ${behindLine}
        WHERE owed_since > 0 AND line_since IS NULL AND resting_since IS NULL AND ${isOfKind}
        ORDER BY owed_since, id LIMIT ${mostSongs}) AS behind
      CROSS JOIN songs ON songs.id = behind.id
      WHERE ${ratable} ORDER BY behind.owed_since, behind.id)
    LIMIT ${limit}`;
}

const columns = sql`songs.id, songs.owner_id, songs.recording, songs.line_since,
  songs.artists, songs.artist_ids, songs.rated_from`;

/**
 * Songs that credit the viewer, or that have had their ratings from where the viewer is, are left out later
 * (`eligibleSongs`): names change, people move, and no scan comes back.
 */
const ratable = sql`NOT ${isClosedTo(sql`users.id`, sql`songs.recording`)}`;

interface FoundSong extends PoolSong {
  /** In line since then; null behind it. Of a passed song, when it was passed on. */
  since: number | null;
}

/** Songs as one JSON value, which is cheaper to send and to read than as many rows. */
function list(found: SQL, isFull: SQL) {
  return sql`(SELECT json_group_array(
        json_array(id, owner_id, recording, line_since, json(artists), json(artist_ids), ${isFull}))
      FROM (${found}) AS songs)`.mapWith(readSongs);
}

function readSongs(value: string): FoundSong[] {
  const songs: unknown[][] = JSON.parse(value);
  return songs.map(
    ([songId, ownerId, recording, since, artists, artistIds, isFull]) =>
      ({
        songId,
        ownerId,
        recording,
        since,
        artists,
        artistIds,
        isFull: isFull === 1,
      }) as FoundSong,
  );
}

type PoolRows = Awaited<ReturnType<typeof selectPool>>;

const nobody: PoolRows[number] = {
  ...{ hearsSpotify: false, seenTo: null, lastLineSince: null, lastFree: null, leftAt: null },
  ...{ waiting: [], found: [], passed: [], displayName: "", ownArtists: {} },
  ...{ ratedCount: 0, passedCount: 0, submittedCount: 0 },
};

export function parsePool([row = nobody]: PoolRows) {
  const { hearsSpotify, seenTo, lastLineSince, found } = row;
  const inLine = [...row.waiting, ...found].filter(isInLine);
  const behind = found.filter((song) => !isInLine(song));
  // A song that was submitted again may be both waiting and ahead.
  const known = new Map(inLine.map((song) => [song.songId, song]));
  const due = [...known.values()].sort(inOrder).slice(0, poolSize);
  const scanned = { ...row, due, seenTo: seenTo ?? 0, lastLineSince: lastLineSince ?? 0 };
  const window = nextWindow(scanned);
  return {
    songs: [...due, ...behind].slice(0, poolSize),
    window: window && { ...window, hearsSpotify },
  };
}

function isInLine(song: FoundSong): song is FoundSong & { since: number } {
  return song.since !== null;
}

/** The viewer's pool (rule 6, offered songs): no song that credits them, none during the cooldown (rule 37, coming back). */
export function toPool(
  rows: PoolRows,
  { userId }: { userId: string },
  { now }: { now: number },
): Pool {
  const awayUntil = cooldownUntil(rows[0]?.leftAt ?? null, now);
  const [row = nobody] = awayUntil === null ? rows : [];
  const { songs, window } = parsePool([row]);
  const viewer = { ...row, userId };
  const eligible = eligibleSongs(songs, viewer);
  // Nobody is to pay for a song that they passed on long ago and that was submitted again.
  const recent = row.passed.filter(({ since }) => (since ?? 0) > now - passCountsMs);
  // A full pool has more songs behind it, so that leaving some out makes songs no scarcer.
  const isFull = songs.length >= poolSize;
  return {
    ...{ isWhole: true, userId, eligible, window, awayUntil, lastFree: row.lastFree },
    found: songs.length,
    available: isFull ? songs.length : eligibleSongs([...recent, ...songs], viewer).length,
    toRate: ratableSongs(songs, viewer).length,
    staying: isFull ? songs.length : eligibleSongs(recent, viewer).length,
  };
}

export function toWaiting(rows: PoolRows, userId: string, now: number): number {
  return toPool(rows, { userId }, { now }).toRate;
}

/** What `selectPools` has read. */
export function toPools(
  { offered, elsewhere = [] }: { offered: PoolRows; elsewhere?: PoolRows | undefined },
  viewer: { userId: string },
  options: { now: number },
): InLogin<Pool> {
  const pool = toPool(offered, viewer, options);
  const isElsewhere = elsewhere.length > 0;
  const { available, toRate, staying } = isElsewhere ? toPool(elsewhere, viewer, options) : pool;
  return { ...pool, available, toRate, staying, here: pool.toRate, isElsewhere };
}

/** The same, where `offered` was only to be counted: the whole pool, if it is that small. */
export function glanceAtPools(
  pools: Parameters<typeof toPools>[0],
  viewer: { userId: string },
  options: { now: number },
): InLogin<Pool | Glance> {
  const pool = toPools(pools, viewer, options);
  if (pool.found < glanceSize) return pool;
  const { eligible: _eligible, window: _window, ...counted } = pool;
  return { ...counted, isWhole: false };
}

export function keepWindow(db: Database, { userId, window }: Pool, now: number) {
  if (!window) return null;
  const kept = insertSelect(db, poolWindows, {
    row: { userId, ...window, updatedAt: now },
    from: sql`WHERE EXISTS (SELECT 1 FROM users WHERE id = ${userId})`,
  }).onConflictDoUpdate({
    target: [poolWindows.userId, poolWindows.hearsSpotify],
    set: {
      seenTo: sql`excluded.seen_to`,
      waiting: sql`excluded.waiting`,
      updatedAt: sql`excluded.updated_at`,
    },
    setWhere: sql`excluded.seen_to > pool_windows.seen_to`,
  });
  return kept.returning({ userId: poolWindows.userId });
}
