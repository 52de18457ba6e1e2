import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { songs } from "~/db/schema";

/** One or two may be wrong, or mean its owner ill. */
const listenersBeforeLook = 3;

/** How many listeners have passed on a song because it sounds generated, since the operator's last decision about it. */
export const soundsGeneratedTo = sql<number>`(SELECT count(*) FROM passes
  WHERE passes.song_id = songs.id AND passes.reason = 'generated'
    AND passes.created_at > coalesce(songs.decided_at, 0))`;

/** Once three listeners say that a song sounds generated, the operator is shown it (rule 48, made). Nothing else follows. */
export function noteSoundsGenerated(
  db: Database,
  { songId, now }: { songId: string; now: number },
) {
  return db
    .update(songs)
    .set({ soundsGeneratedSince: now })
    .where(
      sql`id = ${songId} AND sounds_generated_since IS NULL AND taken_out IS NULL
        AND made <> 'generated' AND ${soundsGeneratedTo} >= ${listenersBeforeLook}`,
    );
}
