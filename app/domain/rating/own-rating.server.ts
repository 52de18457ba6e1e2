import { and, eq, type SQL } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { ratings } from "~/db/schema";

/** The statement that reads the viewer's own rating of a song; no row where there is none. */
export function selectOwnRating(db: Database, viewerId: string | SQL<string>, songId: string) {
  return db
    .select({
      songId: ratings.songId,
      score: ratings.score,
      createdAt: ratings.createdAt,
      reasons: ratings.reasons,
    })
    .from(ratings)
    .where(and(eq(ratings.raterId, viewerId), eq(ratings.songId, songId)));
}
