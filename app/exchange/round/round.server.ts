import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { ratingsPerSubmission } from "~/db/rules";
import { roundMembers, rounds, songs } from "~/db/schema";
import { songColumns, songLoudness } from "~/db/song-columns";
import { hearsSpotify } from "~/members/hearing";
import type { Viewer } from "~/members/viewer.server";
import { dayMs } from "~/platform/dates";
import { finishedListenOf } from "~/sources/listens.server";
import { isClosedTo, stillListens } from "~/sources/recording.server";
import { fewestMembers, mostToHear } from "./round";

type Value<Of> = Of | SQL<Of>;

/** As long as who has not listened in time may still do so. */
const lateMs = 7 * dayMs;

const listening = sql`begun_at IS NOT NULL AND rounds.opened_at IS NULL`;

/** On rows of `rounds`: neither open nor ended. */
export const isLive = sql`ended_at IS NULL AND rounds.opened_at IS NULL`;

/**
 * Its host may end a round that has begun when at most one has not listened, of six or more; of fewer listeners single
 * marks could be told apart. Or as long as nobody has rated.
 */
export const mayEnd = sql`begun_at IS NOT NULL AND ${isLive} AND (NOT EXISTS (SELECT 1 FROM ratings AS one
    WHERE one.round_id = rounds.id)
  OR (SELECT count(listened_at) >= ${fewestMembers - 1} AND count(song_id) - count(listened_at) <= 1
    FROM round_members WHERE round_id = rounds.id))`;

export function isInRound(songId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM round_members AS its JOIN rounds ON rounds.id = its.round_id
    WHERE its.song_id = ${songId} AND ${isLive})`;
}

/** The round in which somebody has a song of another's to rate, or NULL (rule 47, rounds). */
export function roundOf(userId: Value<string>, songId: SQL): SQL<string | null> {
  return sql<string | null>`(SELECT its.round_id FROM round_members AS its
    JOIN rounds ON rounds.id = its.round_id
    JOIN round_members AS mine ON mine.round_id = its.round_id AND mine.user_id = ${userId}
    WHERE its.song_id = ${songId} AND its.user_id <> mine.user_id AND mine.song_id IS NOT NULL
      AND begun_at IS NOT NULL AND ${stillListens} AND (rounds.opened_at IS NULL
        OR (SELECT owed = 0 FROM songs AS late WHERE late.id = its.song_id))
    ORDER BY begun_at DESC LIMIT 1)`;
}

/** The ratings that a song has got in a round; those that came late open nothing. */
export function marksIn(roundId: SQL, songId: SQL): SQL {
  return sql`FROM ratings AS one WHERE one.round_id = ${roundId} AND one.song_id = ${songId}
    AND one.created_at <= coalesce((SELECT opened_at FROM rounds AS its WHERE its.id = one.round_id), one.created_at)`;
}

/** A round in which somebody has heard theirs, and has not opened their marks: one in which they may comes first. */
export function selectUnopened(db: Database, userId: SQL<string>) {
  return db
    .select({
      id: rounds.id,
      token: rounds.token,
      name: rounds.name,
      endsAt: rounds.endsAt,
      openedAt: rounds.openedAt,
      given: givenInRound.as("given"),
    })
    .from(sql`${roundMembers} AS mine`)
    .innerJoin(rounds, sql`rounds.id = mine.round_id`)
    .where(
      sql`mine.user_id = ${userId} AND mine.song_id IS NOT NULL AND mine.listened_at IS NOT NULL
        AND mine.opened_at IS NULL AND ended_at IS NULL`,
    )
    .orderBy(sql`rounds.opened_at DESC`)
    .limit(1);
}

/** Of a member's song, the marks that they have opened, from worst to best, as JSON; else NULL. */
export const scoresShown = sql<string | null>`(SELECT json_group_array(score)
  FROM (SELECT score ${marksIn(sql`round_members.round_id`, sql`round_members.song_id`)} ORDER BY score)
  WHERE round_members.opened_at IS NOT NULL
    AND (SELECT opened_at IS NOT NULL FROM rounds WHERE rounds.id = round_members.round_id))`;

/** How many a member (`mine`) has rated. */
export const givenInRound = sql<number>`(SELECT count(*) FROM ratings AS one
  WHERE one.round_id = mine.round_id AND one.rater_id = mine.user_id)`;

/**
 * Songs of the round (`rounds`) that a member (`mine`) has neither rated nor passed on, and may still rate. What waits in
 * the exchange once the round is open, is rated there.
 */
const toHear = sql`its.round_id = mine.round_id AND its.user_id <> mine.user_id 
  AND (rounds.opened_at IS NULL OR songs.owed = 0)
  AND songs.taken_out IS NULL AND (songs.track_id IS NOT NULL OR EXISTS (SELECT 1 FROM recordings
    WHERE recordings.id = songs.own_recording_id AND file_ended_at IS NULL)) AND NOT ${isClosedTo(sql`mine.user_id`, sql`songs.recording`)}`;

/** How many songs a member (`round_members`) still has to hear. */
export const roundSongsLeft = sql<number>`(SELECT min(${mostToHear} - ${givenInRound}, count(*))
  FROM round_members AS mine JOIN round_members AS its JOIN songs ON songs.id = its.song_id
  WHERE mine.round_id = round_members.round_id AND mine.user_id = round_members.user_id AND ${toHear})`;

/**
 * The songs of somebody's rounds that they may hear now, the round that ends first before others, and in it what is
 * begun, then what has the fewest ratings, so that everybody who listens gets five. Who has given theirs is offered
 * what would give another who has, a song its five.
 */
export function selectRoundSongs(
  db: Database,
  viewerId: Value<string>,
  { hears: heard, now }: { hears: Value<boolean>; now: Value<number> },
) {
  const hears = typeof heard === "boolean" ? sql`${Number(heard)}` : heard;
  const marks = sql<number>`(SELECT count(*) ${marksIn(sql`its.round_id`, sql`its.song_id`)})`;
  const isHeard = sql`${finishedListenOf(sql`mine.user_id`, sql`its.song_id`)} IS NOT NULL`;
  const isBegun = sql`EXISTS (SELECT 1 FROM listens
    WHERE listens.user_id = mine.user_id AND listens.song_id = its.song_id)`;
  return db
    .select({
      songId: sql<string>`${songs.id}`.as("song_id"),
      heard: asBoolean(isHeard, "heard"),
      begun: asBoolean(isBegun, "begun"),
      loudness: songLoudness,
      ...songColumns,
      round: {
        id: sql<string>`rounds.id`.as("round"),
        token: rounds.token,
        name: rounds.name,
        endsAt: rounds.endsAt,
        openedAt: sql<number | null>`rounds.opened_at`.as("opened"),
        given: givenInRound.as("given"),
        isDone: asBoolean(sql`mine.listened_at IS NOT NULL`, "is_done"),
      },
    })
    .from(songs)
    .innerJoin(sql`${roundMembers} AS its`, sql`its.song_id = songs.id`)
    .innerJoin(sql`${roundMembers} AS mine`, sql`mine.round_id = its.round_id`)
    .innerJoin(rounds, sql`rounds.id = mine.round_id`)
    .where(
      sql`mine.user_id = ${viewerId} AND mine.song_id IS NOT NULL AND begun_at IS NOT NULL
        AND (${listening} OR mine.listened_at IS NULL AND rounds.opened_at > ${now} - ${lateMs})
        AND (mine.listened_at IS NULL OR its.listened_at IS NOT NULL AND ${marks} < ${ratingsPerSubmission})
        AND (${hears} OR songs.track_id IS NULL) AND ${toHear}`,
    )
    .orderBy(
      sql`rounds.opened_at IS NOT NULL, ends_at, rounds.id, ${isBegun} DESC, ${marks}, its.joined_at`,
    );
}

export type RoundSong = Awaited<ReturnType<typeof selectRoundSongs>>[number];

/** Of each round, only so many as are still the viewer's to hear. */
export function offeredInRounds(rows: RoundSong[]): RoundSong[] {
  return [...Map.groupBy(rows, ({ round }) => round.id).values()].flatMap((ofRound) =>
    // What is begun comes first. The others not in the order of their marks: it would tell who has listened.
    ofRound
      .slice(0, dueIn(ofRound[0]))
      .toSorted((a, b) => Number(b.begun) - Number(a.begun) || (a.songId < b.songId ? -1 : 1)),
  );
}

/** Whether it is one of the songs that a member is offered, or has begun to hear. */
export async function isOfferedInRound(
  db: Database,
  viewer: Viewer,
  songId: string,
  now: number,
): Promise<boolean> {
  const rows = await selectRoundSongs(db, viewer.userId, { hears: hearsSpotify(viewer), now });
  return offeredInRounds(rows).some((row) => row.songId === songId);
}

function dueIn(first: RoundSong | undefined): number {
  if (!first) return 0;
  return first.round.isDone ? 1 : Math.max(0, mostToHear - first.round.given);
}

/**
 * What follows by now: a round begins that is full, or whose time has come with enough in it; else it ends; whoever
 * has given theirs is done; and it opens for all when everybody is, or its time is over. Twice changes nothing.
 */
export function advanceRounds(db: Database, which: SQL, now: number) {
  return { ...beginOrEnd(db, which, now), ...openDone(db, which, now) };
}

function beginOrEnd(db: Database, which: SQL, now: number) {
  const seated = sql`(SELECT count(song_id) FROM round_members WHERE round_id = rounds.id)`;
  const gathers = sql`begun_at IS NULL AND ended_at IS NULL AND ${which}`;
  return {
    begun: db
      .update(rounds)
      .set({ begunAt: now, endsAt: sql`${now} + listen_ms` })
      .where(
        sql`${gathers} AND (${seated} >= seats
          OR ${seated} >= ${fewestMembers} AND gather_until <= ${now})`,
      ),
    ended: db
      .update(rounds)
      .set({ endedAt: now })
      .where(sql`${gathers} AND gather_until <= ${now}`),
  };
}

function openDone(db: Database, which: SQL, now: number) {
  return {
    listened: noteListened(db, sql`begun_at IS NOT NULL AND ${which}`, now),
    opened: db
      .update(rounds)
      .set({ openedAt: now })
      .where(
        sql`${listening} AND ${which} AND (ends_at <= ${now} OR NOT EXISTS (
          SELECT 1 FROM round_members
          WHERE round_id = rounds.id AND song_id IS NOT NULL AND listened_at IS NULL))`,
      ),
  };
}

function noteListened(db: Database, which: SQL, now: number) {
  const isLeft = sql`EXISTS (SELECT 1 FROM round_members AS its JOIN songs ON songs.id = its.song_id
    WHERE ${toHear} AND (songs.track_id IS NULL
      OR (SELECT hears_spotify_until > ${now} FROM users WHERE users.id = mine.user_id)))`;
  return db
    .update(roundMembers)
    .set({ listenedAt: now })
    .where(
      sql`(round_id, user_id) IN (SELECT mine.round_id, mine.user_id
        FROM rounds JOIN round_members AS mine ON mine.round_id = rounds.id
        WHERE ${which} AND mine.song_id IS NOT NULL AND mine.listened_at IS NULL
          AND (${givenInRound} >= ${mostToHear} OR NOT ${isLeft}))`,
    );
}

/** The same of all rounds whose time has come, or that somebody has left: each found through an index. */
export function advanceAllRounds(db: Database, now: number) {
  return {
    gathering: beginOrEnd(db, sql`gather_until <= ${now}`, now),
    listening: openDone(db, sql`ends_at > 0 AND rounds.opened_at IS NULL`, now),
    late: noteListened(db, sql`rounds.opened_at > ${now - lateMs}`, now),
  };
}

export interface PendingRound {
  token: string;
  name: string;
  /** A song of theirs is in it, which another would replace. */
  hasSong: boolean;
}

/** A round that takes a song of somebody who may hand one in, and has taken a seat. */
export function selectPendingRound(db: Database, userId: string | SQL<string>, now: number) {
  return db
    .select({
      token: rounds.token,
      name: rounds.name,
      hasSong: asBoolean(sql`song_id IS NOT NULL`, "has_song"),
    })
    .from(roundMembers)
    .innerJoin(rounds, sql`rounds.id = round_id`)
    .where(
      sql`round_members.user_id = ${userId} AND begun_at IS NULL AND ended_at IS NULL AND gather_until > ${now}
        AND NOT EXISTS (SELECT 1 FROM submission_locks WHERE submission_locks.user_id = round_members.user_id)`,
    )
    .orderBy(sql`song_id IS NOT NULL, joined_at DESC`)
    .limit(1);
}
