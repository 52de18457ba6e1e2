import { and, eq, type SQL } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { ratings, songs } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";

/** The statement that reads the viewer's own rating of a song, and its track; no row where there is none. */
export function selectOwnRating(db: Database, viewerId: string | SQL<string>, songId: string) {
  return db
    .select({
      ...trackColumns,
      songId: ratings.songId,
      score: ratings.score,
      createdAt: ratings.createdAt,
      reasons: ratings.reasons,
    })
    .from(ratings)
    .innerJoin(songs, eq(songs.id, ratings.songId))
    .where(and(eq(ratings.raterId, viewerId), eq(ratings.songId, songId)));
}
