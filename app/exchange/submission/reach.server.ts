import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { ratingsPerSubmission } from "~/db/rules";
import { songs } from "~/db/schema";
import { type Identity, isClosedTo, ownSongOf } from "~/exchange/recording.server";
import { promisesAhead } from "./reach";

/** Logins that are read, the last active first. */
const loginsLookedAt = 100;

/**
 * The statement that counts the users of the last week, and those of them who could still rate a track whose
 * recording its owner has submitted before; no row for any other song. Logins last a week without a visit.
 */
export function selectReach(
  db: Database,
  { ownerId, track, now }: { ownerId: string; track: Identity; now: number },
) {
  const here = sql`(SELECT DISTINCT user_id FROM (
      SELECT user_id FROM sessions WHERE expires_at > ${now}
      ORDER BY expires_at DESC LIMIT ${loginsLookedAt})) AS here`;
  const canRate = sql`here.user_id IS NOT NULL
    AND NOT ${isClosedTo(sql`here.user_id`, sql`songs.recording`)}`;
  return db
    .select({
      owed: songs.owed,
      here: sql<number>`count(here.user_id)`.as("others_here"),
      left: sql<number>`count(*) FILTER (WHERE ${canRate})`.as("others_left"),
    })
    .from(songs)
    .leftJoin(here, sql`here.user_id <> songs.owner_id`)
    .where(sql`${songs.id} = ${ownSongOf(ownerId, track)}`)
    .groupBy(songs.id);
}

/**
 * `hasReachedAll` as a condition, for the gate: which song a track belongs to is known only once Spotify has
 * told the track's code.
 * @param reach a statement with the columns of `selectReach`.
 */
export function isReachedByAll(reach: ReturnType<typeof selectReach> | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM (${reach}) WHERE others_here > 0
    AND others_left < owed + ${ratingsPerSubmission}
    AND NOT (others_here - others_left <= others_left AND owed < ${promisesAhead * ratingsPerSubmission}))`;
}
