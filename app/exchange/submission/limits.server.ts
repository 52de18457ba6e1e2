import { eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { ratingsPerSubmission } from "~/db/rules";
import { songs, users } from "~/db/schema";
import { owedSongs } from "~/exchange/rotation/room.server";
import { sessionHearsSpotify } from "~/members/hearing.server";
import { lockReason } from "~/members/what-outlives.server";
import { reject } from "~/platform/rejection";
import { isClosedTo } from "~/sources/recording.server";
import { freeIntervalMs } from "./eligibility";

/** Of those that hear the song. */
const loginsLookedAt = 100;

/** Promises of one song that may be open in a circle that is just beginning. */
const promisesAhead = 2;

export const reachedAllText =
  "Of those who were here in the last week, too few are left to rate this song. Choose another one, or try again when others have joined.";

/**
 * Counts the users of the last week who can hear a song that was submitted before, and those of them who could
 * still rate it.
 */
export function selectReach(db: Database, songId: SQL<string | null>, now: number) {
  const isTrack = sql`EXISTS (SELECT 1 FROM songs AS its WHERE its.id = ${songId} AND its.track_id IS NOT NULL)`;
  // Two walks, each in the order of an index: how many logins do not hear the song adds nothing.
  const logins = (
    condition: SQL,
    most: SQL,
  ) => sql`SELECT user_id FROM (SELECT user_id FROM sessions
    WHERE ${condition} AND expires_at > ${now} ORDER BY expires_at DESC LIMIT ${most})`;
  const here = sql`(${logins(sessionHearsSpotify, sql`iif(${isTrack}, ${loginsLookedAt}, 0)`)}
    UNION ${logins(sql`true`, sql`iif(${isTrack}, 0, ${loginsLookedAt})`)}) AS here`;
  const canRate = sql`here.user_id IS NOT NULL
    AND NOT ${isClosedTo(sql`here.user_id`, sql`songs.recording`)}`;
  return db
    .select({
      owed: songs.owed,
      here: sql<number>`count(here.user_id)`.as("others_here"),
      left: sql<number>`count(*) FILTER (WHERE ${canRate})`.as("others_left"),
    })
    .from(songs)
    .leftJoin(here, sql`here.user_id <> songs.owner_id`)
    .where(sql`${songs.id} = ${songId}`)
    .groupBy(songs.id);
}

/**
 * Checks whether too few users are left to keep another promise (rule 27, songs that can be rated). A circle that is just beginning
 * may promise more than it could keep today: as long as half of it can still rate the song.
 */
export function isReachedByAll(reach: ReturnType<typeof selectReach> | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM (${reach}) WHERE ${tooFewAreLeft})`;
}

const tooFewAreLeft = sql`others_here > 0 AND others_left < owed + ${ratingsPerSubmission}
    AND NOT (others_here - others_left <= others_left AND owed < ${promisesAhead * ratingsPerSubmission})`;

/** Whether there are listeners for a new mix of a song (rule 27, songs that can be rated), and how many. */
export function selectListeners(db: Database, songId: SQL<string | null>, now: number) {
  return db
    .select({
      left: sql<number>`others_left`.as("left"),
      isReachedByAll: asBoolean(tooFewAreLeft, "is_reached_by_all"),
    })
    .from(selectReach(db, songId, now).as("reach"));
}

/** Asked before a mix is taken in, whose submission is then not refused for it. */
export function mixReach({ db, now }: DatabaseAndClock) {
  const isReached = (songId: SQL<string | null>) => isReachedByAll(selectReach(db, songId, now()));
  return { isReached, error: reject(409, reachedAllText) };
}

/** What the question about a song tells of those that its owner has submitted already. */
export const submittedColumns = {
  title: songs.title,
  album: songs.album,
  entitled: songs.entitled,
  owed: songs.owed,
  resting: asBoolean(isNotNull(songs.restingSince), "resting"),
  takenOut: songs.takenOut,
};

export function selectOwnSongs(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      owed: owedSongs(sql`users.id`).as("owed_songs"),
      locked: lockReason(sql`users.id`).as("lock_reason"),
    })
    .from(users)
    .where(eq(users.id, viewerId));
}

export function isFreeUnused(userId: string, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM submissions
    WHERE owner_id = ${userId} AND spent = 0 AND created_at > ${now - freeIntervalMs} AND request_key NOT LIKE 'round:%')`;
}
