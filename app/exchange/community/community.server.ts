import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Batch, runBatch } from "~/db/gated";
import { prepared } from "~/db/prepared";
import { communityFigures, sessions } from "~/db/schema";
import { likedFrom } from "~/exchange/rating/scale";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import type { SourceName } from "~/sources/song";
import { type CommunityFigures, likedShare } from "./community";

/** Other people hear own recordings, so these have figures of their own; beside a track stand those of all songs. */
const rowIds: Record<SourceName, number> = { spotify: 1, files: 2 };

export const selectCommunity = prepared((db) =>
  db
    .select()
    .from(communityFigures)
    .where(inArray(communityFigures.id, Object.values(rowIds))),
);

/** The figures that stand beside a song of this source. */
export function toCommunity(
  rows: (typeof communityFigures.$inferSelect)[],
  source: SourceName = "spotify",
): CommunityFigures | null {
  const row = rows.find(({ id }) => id === rowIds[source]);
  if (!row) return null;
  const { songsRatedThisWeek, promisesKept, halfWithinMs, mostWithinMs } = row;
  return {
    songsRatedThisWeek,
    promisesKept,
    halfWithinMs,
    mostWithinMs,
    likedShare: likedShare(row.ratings, row.liked),
  };
}

/** Computes the community's figures, once a day (UTC), from the last thirty days. */
export async function refreshCommunity(
  db: Database,
  now: number,
  also: Batch = null,
): Promise<{ count: number }> {
  const { community } = await runBatch(db, { community: selectCommunity(db), also });
  const known = community.find(({ id }) => id === rowIds.spotify);
  if (known && Math.floor(known.computedAt / dayMs) === Math.floor(now / dayMs)) {
    return { count: 0 };
  }
  await writeRow(db, now, {
    id: rowIds.files,
    ofSubmissions: sql`own_recording_id IS NOT NULL`,
    ofRatings: sql`(SELECT track_id IS NULL FROM songs WHERE songs.id = song_id)`,
  });
  await writeRow(db, now, { id: rowIds.spotify, ofSubmissions: sql`1`, ofRatings: sql`1` });
  return { count: 1 };
}

async function writeRow(
  db: Database,
  now: number,
  { id, ofSubmissions, ofRatings }: { id: number; ofSubmissions: SQL; ofRatings: SQL },
) {
  const [monthAgo, weekAgo] = [now - 30 * dayMs, now - 7 * dayMs];
  await db.run(sql`
    INSERT OR REPLACE INTO ${communityFigures} (id, computed_at, songs_rated_this_week,
      promises_kept, half_within_ms, most_within_ms, ratings, liked)
    WITH kept AS (
      SELECT completed_at - created_at AS took,
        row_number() OVER (ORDER BY completed_at - created_at) AS place, count(*) OVER () AS total
      FROM submissions WHERE completed_at > ${monthAgo} AND ${ofSubmissions}
    ), waits AS (
      SELECT count(*) AS promises, min(took) FILTER (WHERE place * 2 >= total) AS half,
        min(took) FILTER (WHERE place * 10 >= total * 9) AS most
      FROM kept
    ), given AS (
      SELECT count(*) AS ratings, count(*) FILTER (WHERE score >= ${likedFrom}) AS liked,
        count(DISTINCT iif(created_at > ${weekAgo}, recording, NULL)) AS songs
      FROM ratings WHERE created_at > ${monthAgo} AND round_id IS NULL AND ${ofRatings}
    )
    SELECT ${id}, ${now}, songs, promises, coalesce(half, 0), coalesce(most, 0), ratings, liked
    FROM waits, given`);
}

/** The landing page's data. The page does without them where the database does not answer. */
export async function loadLanding(
  db: Database,
  sessionId: string | null,
): Promise<{ community: CommunityFigures | null; endedBySpotify: boolean }> {
  try {
    const { community, ended } = await runBatch(db, {
      community: selectCommunity(db),
      ended: selectEndedBySpotify(db, sessionId),
    });
    return { community: toCommunity(community), endedBySpotify: ended.length > 0 };
  } catch (error) {
    logEvent("landing_without_figures", { error });
    return { community: null, endedBySpotify: false };
  }
}

/** Finds a login that Spotify has ended, until the retention job deletes it. */
function selectEndedBySpotify(db: Database, sessionId: string | null) {
  return db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, sessionId ?? ""),
        eq(sessions.way, "spotify"),
        eq(sessions.endedBySpotify, true),
      ),
    );
}
