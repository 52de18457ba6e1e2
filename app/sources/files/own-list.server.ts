import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { recordings } from "~/db/schema";
import type { RecordingRow } from "./own-list";

const maxListed = 80;

/**
 * A user's uploads, newest first: drafts as long as their files are there, and all that was submitted. Of the same
 * bytes, submitted several times, the last.
 */
export function selectOwnRecordings(db: Database, ownerId: string) {
  return db
    .select({
      recordingId: recordings.id,
      title: recordings.title,
      isDraft: sql`state = 'draft'`.mapWith(Boolean).as("is_draft"),
      bytes: sql<number>`bytes + coalesce(cover_bytes, 0)`.as("all_bytes"),
      uploadedAt: recordings.createdAt,
      fileEndedAt: recordings.fileEndedAt,
      songId: sql<string | null>`(SELECT song_id FROM submissions
        WHERE own_recording_id = recordings.id LIMIT 1)`.as("song_id"),
      leftAt: sql<number | null>`${leftRotationAt}`.as("left_at"),
    } satisfies Record<keyof RecordingRow, unknown>)
    .from(recordings)
    .where(
      sql`${eq(recordings.ownerId, ownerId)}
        AND (state = 'submitted' AND NOT ${isReplaced} OR state = 'draft' AND file_ended_at IS NULL)`,
    )
    .orderBy(desc(recordings.createdAt))
    .limit(maxListed);
}

const isReplaced = sql`(file_ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM recordings AS later
  WHERE later.owner_id = recordings.owner_id AND later.hash = recordings.hash AND later.state = 'submitted'
    AND later.id <> recordings.id AND later.created_at >= recordings.created_at))`;

const roundsOfFile = sql`FROM songs AS its JOIN round_members ON round_members.song_id = its.id
  JOIN rounds ON rounds.id = round_members.round_id WHERE its.own_recording_id = recordings.id`;

/**
 * When the song of a recording left the rotation: it got all its ratings, or rests; or when the last round was over of
 * one that was in rounds alone. Null while it is in it, or in a round.
 */
export const leftRotationAt = sql`(SELECT iif(EXISTS (SELECT 1 ${roundsOfFile}
      AND ended_at IS NULL AND rounds.opened_at IS NULL), NULL,
  coalesce((SELECT iif(songs.owed = 0,
      (SELECT max(completed_at) FROM submissions AS all_of WHERE all_of.song_id = songs.id),
      songs.resting_since)
    FROM submissions JOIN songs ON songs.id = submissions.song_id
    WHERE submissions.own_recording_id = recordings.id LIMIT 1),
  (SELECT max(songs.created_at, coalesce((SELECT max(coalesce(rounds.opened_at, ended_at)) ${roundsOfFile}), 0))
    FROM songs WHERE songs.own_recording_id = recordings.id AND songs.entitled = 0))))`;
