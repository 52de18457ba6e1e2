import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { users } from "~/db/schema";
import { freeIntervalMs, maxOwedSongs } from "./limits";

/** The statement that reads what a user has in the rotation already. */
export function selectOwnSongs(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      owed: owedSongs(sql`users.id`).as("owed_songs"),
      lastFree: sql<number | null>`(SELECT max(created_at) FROM submissions
        WHERE owner_id = users.id AND spent = 0)`.as("last_free"),
    })
    .from(users)
    .where(eq(users.id, viewerId));
}

/** The condition that a user may have one more song in the rotation. */
export function hasRoom(userId: string): SQL {
  return sql`${owedSongs(sql`${userId}`)} < ${maxOwedSongs}`;
}

/** The condition that a user has not submitted a song for nothing within the last day. */
export function isFreeUnused(userId: string, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM submissions
    WHERE owner_id = ${userId} AND spent = 0 AND created_at > ${now - freeIntervalMs})`;
}

/** How many songs of a user are owed ratings and do not rest; counted no further than the limit. */
function owedSongs(userId: SQL): SQL<number> {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM songs
    WHERE owner_id = ${userId} AND owed_since IS NOT NULL AND resting_since IS NULL
    LIMIT ${maxOwedSongs}))`;
}
