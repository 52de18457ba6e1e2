import { and, eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songs } from "~/db/schema";
import { isMarked } from "~/domain/marks/marks.server";

/** Logins that are read, the last active first. */
const loginsLookedAt = 100;

/**
 * The statement that counts the users of the last week, and those of them who could still rate a song that
 * its owner has submitted before; no row for any other song. Logins last a week without a visit.
 */
export function selectReach(
  db: Database,
  { ownerId, trackId, now }: { ownerId: string; trackId: string; now: number },
) {
  const here = sql`(SELECT DISTINCT user_id FROM (
      SELECT user_id FROM sessions WHERE expires_at > ${now}
      ORDER BY expires_at DESC LIMIT ${loginsLookedAt})) AS here`;
  const canRate = sql`here.user_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM ratings
                    WHERE rater_id = here.user_id AND song_id = songs.id)
    AND NOT EXISTS (SELECT 1 FROM passes
                    WHERE passes.user_id = here.user_id AND song_id = songs.id)
    AND NOT ${isMarked(sql`here.user_id`, sql`songs.id`)}`;
  return db
    .select({
      owed: songs.owed,
      here: sql<number>`count(here.user_id)`.as("others_here"),
      left: sql<number>`count(*) FILTER (WHERE ${canRate})`.as("others_left"),
    })
    .from(songs)
    .leftJoin(here, sql`here.user_id <> songs.owner_id`)
    .where(and(eq(songs.ownerId, ownerId), eq(songs.trackId, trackId)))
    .groupBy(songs.id);
}
