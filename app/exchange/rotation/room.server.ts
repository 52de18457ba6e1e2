import { type SQL, sql } from "drizzle-orm";
import { maxOwedSongs } from "./room";

export function hasRoom(userId: string): SQL {
  return sql`${owedSongs(sql`${userId}`)} < ${maxOwedSongs}`;
}

/** Counted no further than the limit. */
export function owedSongs(userId: SQL): SQL<number> {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM songs
    WHERE owner_id = ${userId} AND owed_since IS NOT NULL AND resting_since IS NULL
    LIMIT ${maxOwedSongs}))`;
}
