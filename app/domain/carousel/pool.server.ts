import { and, asc, eq, gt, ne, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { ratings, songs, users } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";

/** Songs the carousel looks at (spec section 9, "Carousel query"). */
const poolSize = 150;

/**
 * The statement that reads the pool: songs still owed ratings, oldest promise first, that are not
 * the viewer's and not yet rated by the viewer. Tracks the viewer has submitted too count as the
 * viewer's own. Begins at the viewer's row, so that without a viewer nothing is read at all, and
 * then walks one index from its start, so that its cost does not grow with the table.
 * @param viewerId a user id, or an expression that yields one.
 */
export function selectPool(db: Database, viewerId: string | SQL<string>) {
  const own = alias(songs, "own");
  return db
    .select({
      songId: sql<string>`${songs.id}`.as("song_id"),
      ownerId: songs.ownerId,
      ...trackColumns,
    })
    .from(users)
    .crossJoin(songs)
    .where(
      and(
        eq(users.id, viewerId),
        // As a range, so that the partial index is searched and not scanned.
        gt(songs.dueAt, 0),
        ne(songs.ownerId, users.id),
        notExists(
          db
            .select({ one: sql`1` })
            .from(ratings)
            .where(and(eq(ratings.raterId, users.id), eq(ratings.songId, songs.id))),
        ),
        notExists(
          db
            .select({ one: sql`1` })
            .from(own)
            .where(and(eq(own.ownerId, users.id), eq(own.trackId, songs.trackId))),
        ),
      ),
    )
    .orderBy(asc(songs.dueAt), asc(songs.id))
    .limit(poolSize);
}
