import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { users } from "~/db/schema";
import { owedSongs } from "~/exchange/rotation/room.server";
import { lockReason } from "~/members/marks.server";
import { freeIntervalMs } from "./eligibility";

/** The statement that counts the songs that a user has in the rotation. */
export function selectOwnSongs(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      owed: owedSongs(sql`users.id`).as("owed_songs"),
      locked: lockReason(sql`users.id`).as("lock_reason"),
    })
    .from(users)
    .where(eq(users.id, viewerId));
}

/** The condition that a user has made no free submission within the last day. */
export function isFreeUnused(userId: string, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM submissions
    WHERE owner_id = ${userId} AND spent = 0 AND created_at > ${now - freeIntervalMs})`;
}
