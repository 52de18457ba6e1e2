import { and, asc, eq, gt, ne, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { ratings, songs } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";
import type { Song } from "./song";

/** Songs the carousel looks at (spec section 9, "Carousel query"). */
const poolSize = 150;

/**
 * The statement that reads the pool: songs still owed ratings, oldest promise first, that are not
 * the viewer's and not yet rated by the viewer. Tracks the viewer has submitted too count as the
 * viewer's own. Walks one index from its start, so its cost does not grow with the table.
 * @param viewerId a user id, or an expression that yields one.
 */
export function selectPool(db: Database, viewerId: string | SQL<string>) {
  const own = alias(songs, "own");
  return db
    .select({ songId: songs.id, ownerId: songs.ownerId, ...trackColumns })
    .from(songs)
    .where(
      and(
        // As a range, so that the partial index is searched and not scanned.
        gt(songs.dueAt, 0),
        ne(songs.ownerId, viewerId),
        notExists(
          db
            .select({ one: sql`1` })
            .from(ratings)
            .where(and(eq(ratings.raterId, viewerId), eq(ratings.songId, songs.id))),
        ),
        notExists(
          db
            .select({ one: sql`1` })
            .from(own)
            .where(and(eq(own.ownerId, viewerId), eq(own.trackId, songs.trackId))),
        ),
      ),
    )
    .orderBy(asc(songs.dueAt), asc(songs.id))
    .limit(poolSize);
}

/** The pool's rows as they are read; already without what the viewer rated. */
export type PoolRow = Song & { ownerId: string };
