import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songs } from "~/db/schema";

/** The owner sees the ratings of these songs, which are no news any more. */
export function seeNews(db: Database, ownerId: string, which: SQL) {
  return db
    .update(songs)
    .set({ newsSince: null })
    .where(sql`${songs.ownerId} = ${ownerId} AND ${songs.newsSince} IS NOT NULL AND ${which}`);
}

/** A song that was rated again since it was read is not among them. */
export function asRead(read: { songId: string; received: number }[]): SQL {
  const seen = JSON.stringify(read.map(({ songId, received }) => [songId, received]));
  return sql`(id, received) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${seen}))`;
}
