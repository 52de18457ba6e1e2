import { sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { recordings } from "~/db/schema";
import { isAmong } from "~/members/identity";
import type { Viewer } from "~/members/viewer.server";
import { coverFile } from "~/sources/files/own-files.server";
import { isReported, sharesRound } from "~/sources/recording.server";

interface CoverServices extends DatabaseAndClock {
  files: R2Bucket;
  config: { operators: string[] };
}

/**
 * The cover that came with a song's recording, for those who may see the song: its owner, who has it to rate or has
 * rated it, and the operator once it was reported or sounds generated (rule 43, files).
 */
export async function songCover(
  { db, files, config }: CoverServices,
  viewer: Viewer | null,
  songId: string,
): Promise<Response | null> {
  const isOperator = viewer !== null && isAmong(config.operators, viewer);
  const userId = viewer?.userId ?? null;
  const [cover] = await db
    .select({ recordingId: recordings.id, type: recordings.coverType })
    .from(recordings)
    .where(
      sql`id = (SELECT own_recording_id FROM songs WHERE songs.id = ${songId})
        AND state = 'submitted' AND cover_type IS NOT NULL AND file_ended_at IS NULL AND (
          owner_id = ${userId}
          OR EXISTS (SELECT 1 FROM ratings WHERE song_id = ${songId} AND rater_id = ${userId})
          OR ${sharesRound(userId, songId)}
          OR EXISTS (SELECT 1 FROM packages JOIN package_songs ON package_id = packages.id
            WHERE user_id = ${userId} AND song_id = ${songId})
          OR ${Number(isOperator)} AND ${isReported(songId)})`,
    );
  return cover?.type ? coverFile(files, { ...cover, type: cover.type }) : null;
}
