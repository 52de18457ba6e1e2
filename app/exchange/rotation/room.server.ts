import { type SQL, sql } from "drizzle-orm";
import { maxOwedSongs } from "./room";

/** The condition that a user may have one more song in the rotation. */
export function hasRoom(userId: string): SQL {
  return sql`${owedSongs(sql`${userId}`)} < ${maxOwedSongs}`;
}

/** The number of a user's songs that are owed ratings and do not rest, counted no further than the limit. */
export function owedSongs(userId: SQL): SQL<number> {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM songs
    WHERE owner_id = ${userId} AND owed_since IS NOT NULL AND resting_since IS NULL
    LIMIT ${maxOwedSongs}))`;
}
