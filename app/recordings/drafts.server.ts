import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { recordings } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { type Rejection, reject } from "~/platform/rejection";

export type Draft = Awaited<ReturnType<typeof selectDraft>>[number];

const hasFile = sql`file_ended_at IS NULL AND state <> 'arriving'`;

/** One of its owner's recordings, submitted or not, as long as its file is there. */
export function selectDraft(
  db: Database,
  { ownerId, recordingId }: { ownerId: string | SQL<string>; recordingId: string },
) {
  return db
    .select({
      recordingId: recordings.id,
      state: recordings.state,
      title: recordings.title,
      artist: recordings.artist,
      hash: sql<string>`${recordings.hash}`.as("file_hash"),
      durationMs: sql<number>`${recordings.durationMs}`.as("file_duration"),
      bytes: sql<number>`${recordings.bytes}`.as("file_bytes"),
      type: sql<NonNullable<(typeof recordings.$inferSelect)["type"]>>`${recordings.type}`.as(
        "file_type",
      ),
      coverType: recordings.coverType,
      uploadedAt: recordings.createdAt,
    })
    .from(recordings)
    .where(and(eq(recordings.id, recordingId), sql`${recordings.ownerId} = ${ownerId}`, hasFile));
}

/** The recordings that their owner has not submitted yet, newest first. */
export function selectDrafts(db: Database, ownerId: string | SQL<string>) {
  return db
    .select({ recordingId: recordings.id, title: recordings.title })
    .from(recordings)
    .where(sql`${recordings.ownerId} = ${ownerId} AND state = 'draft' AND file_ended_at IS NULL`)
    .orderBy(desc(recordings.createdAt));
}

/** What is stored of a user's recordings, and where their owner can fetch the files. */
export function selectForExport(db: Database, ownerId: string) {
  const path = (file: string) =>
    sql<string | null>`iif(${hasFile}, '/recordings/' || id || ${file}, NULL)`;
  return db
    .select({
      recordingId: recordings.id,
      title: recordings.title,
      artist: recordings.artist,
      state: recordings.state,
      type: recordings.type,
      bytes: recordings.bytes,
      durationMs: recordings.durationMs,
      sha256: recordings.hash,
      file: path("/audio").as("file"),
      coverType: recordings.coverType,
      coverBytes: recordings.coverBytes,
      cover: sql<string | null>`iif(cover_type IS NULL, NULL, ${path("/cover")})`.as("cover"),
      uploadedAt: recordings.createdAt,
      fileEndedAt: recordings.fileEndedAt,
    })
    .from(recordings)
    .where(eq(recordings.ownerId, ownerId))
    .orderBy(recordings.createdAt, recordings.id);
}

/** Gives a draft up. What is submitted stays: its song can be withdrawn. */
export async function deleteDraft(
  { db, now }: DatabaseAndClock,
  { userId }: Viewer,
  recordingId: string,
): Promise<null | Rejection> {
  const ended = await db
    .update(recordings)
    .set({ fileEndedAt: now() })
    .where(
      sql`id = ${recordingId} AND owner_id = ${userId} AND state = 'draft' AND file_ended_at IS NULL`,
    )
    .returning({ id: recordings.id });
  return ended.length > 0 ? null : noDraft;
}

const noDraft = reject(
  404,
  "There is no such draft. Perhaps you have submitted it, or deleted it.",
);

/**
 * Ends the file of a recording at the operator's word (rule 43). Nothing while its song is in the rotation, which has
 * to be taken out first.
 */
export function endFile(db: Database, { recordingId, now }: { recordingId: string; now: number }) {
  return db
    .update(recordings)
    .set({ fileEndedAt: now })
    .where(
      sql`id = ${recordingId} AND file_ended_at IS NULL AND NOT EXISTS (SELECT 1 FROM songs
        WHERE own_recording_id = ${recordingId} AND owed > 0 AND resting_since IS NULL)`,
    )
    .returning({ id: recordings.id });
}

/** The bytes of all files that are kept. */
export function selectFileBytes(db: Database) {
  return db
    .select({ bytes: sql<number>`total(bytes) + total(cover_bytes)`.as("file_bytes") })
    .from(recordings)
    .where(sql`file_ended_at IS NULL`);
}
