import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { dayMs } from "~/platform/dates";

const loginsLookedAt = 100;

/**
 * How many members were here in the last week, at most a hundred: each by a login that has not ended. Who has logged
 * out everywhere is not counted.
 */
function membersOfTheWeek(now: number): SQL<number> {
  return sql<number>`(SELECT count(DISTINCT user_id) FROM ${newestLogins(now)})`;
}

function newestLogins(now: number): SQL {
  return sql`(SELECT user_id FROM sessions
    WHERE expires_at > ${now} ORDER BY expires_at DESC LIMIT ${loginsLookedAt})`;
}

/** Of these, how many had made their account more than a week ago. */
function membersBack(now: number): SQL<number> {
  return sql<number>`(SELECT count(DISTINCT user_id) FROM ${newestLogins(now)}
    JOIN users ON users.id = user_id WHERE users.created_at < ${now - 7 * dayMs})`;
}

export function selectCircle(db: Database, now: number) {
  return db
    .select({ members: membersOfTheWeek(now).as("members"), back: membersBack(now).as("back") })
    .from(sql`(SELECT 1)`);
}

/** Whether so few are here that a single mark would tell whose it is (rule 46, small circles). */
export function isCircleSmall(sealedBelow: number, now: number): SQL<boolean> {
  return sql<boolean>`${membersOfTheWeek(now)} < ${sealedBelow}`;
}

/** How many of a song's ratings its owner does not see before all five are in, on rows of `songs`. */
export const sealedRatings = sql<number>`(SELECT count(*) FROM ratings AS one
  WHERE one.song_id = songs.id AND one.sealed = 1 AND one.round_id IS NULL)`;
