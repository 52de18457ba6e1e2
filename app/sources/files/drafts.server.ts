import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { retentionDays } from "~/db/periods";
import { recordings } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { plainName } from "~/platform/plain-text";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { readLoudness } from "./loudness";
import { readMade, refuseNames } from "./upload-fields";

export type Draft = Awaited<ReturnType<typeof selectDraft>>[number];

const draftMs = retentionDays.drafts * dayMs;

const hasFile = sql`file_ended_at IS NULL AND state <> 'arriving'`;

/** What a recording's submission costs at most, because its price was asked before it was uploaded: for a draft's day. */
export function agreedCost(now: number) {
  return sql<
    number | null
  >`iif(state = 'draft' AND created_at > ${now - draftMs}, agreed_cost, NULL)`.as("agreed_now");
}

/** Whether a draft was taken in as a mix of a song that has got no more ratings of a promise since. */
export function isAgreedMix(songId: SQL): SQL {
  return sql`(state = 'draft' AND mix_of = ${songId} AND recordings.created_at > ifnull(
    (SELECT max(completed_at) FROM submissions WHERE submissions.song_id = mix_of), 0))`;
}

/** One of its owner's recordings, submitted or not, as long as its file is there. */
export function selectDraft(
  db: Database,
  {
    ownerId,
    recordingId,
    now,
  }: { ownerId: string | SQL<string>; recordingId: string; now: number },
) {
  return db
    .select({
      recordingId: recordings.id,
      state: recordings.state,
      title: recordings.title,
      artist: recordings.artist,
      made: recordings.made,
      hash: sql<string>`${recordings.hash}`.as("file_hash"),
      drawnFrom: sql<string>`${recordings.drawnFrom}`.as("drawn_from"),
      durationMs: sql<number>`${recordings.durationMs}`.as("file_duration"),
      bytes: sql<number>`${recordings.bytes}`.as("file_bytes"),
      type: sql<NonNullable<(typeof recordings.$inferSelect)["type"]>>`${recordings.type}`.as(
        "file_type",
      ),
      audioStart: sql<number>`${recordings.audioStart}`.as("file_audio_start"),
      audioEnd: recordings.audioEnd,
      hearing: recordings.hearing,
      coverType: recordings.coverType,
      mixOf: recordings.mixOf,
      isAgreedMix: asBoolean(isAgreedMix(sql`mix_of`), "is_agreed_mix"),
      agreedCost: agreedCost(now),
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

/**
 * Gives a draft its title and artist, the member's name for none, and takes down what was not said when it was sent.
 * Refuses what an upload may not be called (rule 42, uploads), and what is no draft any more. One that a machine has
 * generated goes.
 */
export async function nameDraft(
  services: DatabaseAndClock & { takesGenerated: boolean },
  viewer: Viewer,
  recordingId: string,
  typed: Record<"title" | "artist" | "rights" | "made" | "loudness", string>,
): Promise<null | Rejection> {
  const [title, artist] = [plainName(typed.title), plainName(typed.artist)];
  const fault = refuseNames(title, artist);
  if (fault) return fault;
  const made = readMade(typed.rights, typed.made, services.takesGenerated);
  if (isRejection(made)) {
    if (typed.made === "generated") await deleteDraft(services, viewer, recordingId);
    return made;
  }
  const loudness = readLoudness(typed.loudness);
  return changeDraft(services.db, viewer, recordingId, {
    ...{ title, artist: artist || viewer.displayName },
    ...(made && { made }),
    ...(loudness !== null && { loudness }),
  });
}

/** Writes down that a draft's owner has heard it. The sound goes on whatever comes of that. */
export async function noteHeard(db: Database, recordingId: string): Promise<void> {
  try {
    await db
      .update(recordings)
      .set({ hearing: "heard" })
      .where(sql`id = ${recordingId} AND state = 'draft'`);
  } catch (error) {
    logEvent("hearing_not_noted", { error });
  }
}

/** Writes down that the browser of a draft's owner makes nothing of its sound: until another plays it, it stays here. */
export async function noteSilent(
  { db }: DatabaseAndClock,
  viewer: Viewer,
  recordingId: string,
): Promise<null | Rejection> {
  return changeDraft(db, viewer, recordingId, { hearing: "silent" });
}

/** Gives a draft up. What is submitted stays: its song can be withdrawn. */
export async function deleteDraft(
  { db, now }: DatabaseAndClock,
  viewer: Viewer,
  recordingId: string,
): Promise<null | Rejection> {
  return changeDraft(db, viewer, recordingId, { fileEndedAt: now() });
}

async function changeDraft(
  db: Database,
  { userId }: Viewer,
  recordingId: string,
  to: Partial<typeof recordings.$inferInsert>,
): Promise<null | Rejection> {
  const changed = await db
    .update(recordings)
    .set(to)
    .where(
      sql`id = ${recordingId} AND owner_id = ${userId} AND state = 'draft' AND file_ended_at IS NULL`,
    )
    .returning({ id: recordings.id });
  return changed.length > 0 ? null : noDraft;
}

const noDraft = reject(
  404,
  "There is no such draft. Perhaps you have submitted it, or deleted it.",
);

/** Ends the earlier files of the same bytes, where `only` holds: the song has the one that was submitted last. */
export function endSameFiles(
  db: Database,
  { userId, recordingId, now }: { userId: string; recordingId: string; now: number },
  only: SQL,
) {
  return db
    .update(recordings)
    .set({ fileEndedAt: now })
    .where(
      sql`owner_id = ${userId} AND hash = (SELECT hash FROM recordings WHERE id = ${recordingId})
        AND id <> ${recordingId} AND state = 'submitted' AND file_ended_at IS NULL AND ${only}`,
    );
}

/** The condition that the files of a song can be ended: it has some, and is not in the rotation. */
export const hasFilesToEnd = sql`(EXISTS (SELECT 1 FROM submissions
    JOIN recordings ON recordings.id = submissions.own_recording_id
    WHERE submissions.song_id = songs.id AND file_ended_at IS NULL)
  AND (owed = 0 OR resting_since IS NOT NULL))`;

/** Ends the files of all mixes of a song at the operator's word (rule 43, files), where `only` holds. */
export function endFiles(
  db: Database,
  { songId, now }: { songId: string; now: number },
  only: SQL,
) {
  return db
    .update(recordings)
    .set({ fileEndedAt: now })
    .where(
      sql`file_ended_at IS NULL AND id IN (SELECT own_recording_id FROM submissions
        WHERE song_id = ${songId}) AND ${only}`,
    );
}
