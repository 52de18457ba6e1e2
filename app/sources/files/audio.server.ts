import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { listens, packageSongs, packages, recordings, songs } from "~/db/schema";
import { isAmong } from "~/members/identity";
import type { Viewer } from "~/members/viewer.server";
import type { Rejection } from "~/platform/rejection";
import { finishedListenOf } from "~/sources/listens.server";
import { isReported, sharesRound, stillListens } from "~/sources/recording.server";
import { type DeliveryServices, deliverFreely, deliverPaced } from "./delivery.server";
import type { ByteRange, PacedFile } from "./pacing";
import type { ServedFile } from "./serve.server";

export interface AudioServices extends DatabaseAndClock, DeliveryServices {
  config: { operators: string[] };
}

interface Audio extends ServedFile {
  open(range: ByteRange): Promise<ReadableStream<Uint8Array> | Rejection | null>;
}

/**
 * The file of an own recording, for whom it is: its owner, the operator once it was reported or sounds generated, and the listener in
 * whose package or round the song is, if they have heard it, or have a listen of it open. Through an open listen no byte
 * comes before its time (rule 15, proof of hearing). A page may name the listen that it means: through another it gets nothing.
 */
export async function findAudio(
  services: AudioServices,
  viewer: Viewer,
  asked: { songId: string; listenId: string | null },
): Promise<Audio | null> {
  const row = await readAudio(services.db, viewer.userId, asked.songId);
  const file = row && fileOf(row);
  if (!row || !file) return null;
  const key = `${row.recordingId}/audio`;
  const served = { recordingId: row.recordingId, type: file.type, bytes: file.bytes };
  const isOperators = row.isReported && isAmong(services.config.operators, viewer);
  const isHeard = row.isOffered && row.finishedListenId !== null;
  if (row.ownerId === viewer.userId || isOperators || isHeard) {
    return { ...served, open: (range) => deliverFreely(services.files, key, range) };
  }
  const { listenId, startedAt, requiredSeconds } = row;
  if (!row.isOffered || startedAt === null || requiredSeconds === null) return null;
  if (listenId === null || (asked.listenId ?? listenId) !== listenId) return null;
  const listen = { listenId, recordingId: row.recordingId };
  return {
    ...served,
    open(range) {
      const neededMs = requiredSeconds * 1000;
      const note = notesOf(services.db, listen);
      const delivery = { listenId, key, file, range, startedAt, neededMs, note };
      return deliverPaced(services, delivery);
    },
  };
}

async function readAudio(db: Database, userId: string, songId: string) {
  const [row] = await db
    .select({
      ownerId: songs.ownerId,
      recordingId: recordings.id,
      type: recordings.type,
      bytes: recordings.bytes,
      durationMs: recordings.durationMs,
      audioStart: recordings.audioStart,
      audioEnd: recordings.audioEnd,
      isReported: asBoolean(isReported(sql`songs.id`), "is_reported"),
      isOffered: asBoolean(
        sql`(${sharesRound(userId, sql`songs.id`, stillListens)} AND NOT EXISTS (
            SELECT 1 FROM passes WHERE user_id = ${userId} AND song_id = songs.id) OR EXISTS (
          SELECT 1 FROM ${packageSongs} WHERE song_id = ${songs.id} AND package_id IN (
            SELECT id FROM ${packages} WHERE user_id = ${userId})))`,
        "is_offered",
      ),
      listenId: sql<string | null>`${listens.id}`.as("listen_id"),
      startedAt: listens.startedAt,
      requiredSeconds: listens.requiredSeconds,
      finishedListenId: sql<string | null>`${finishedListenOf(userId, songs.id)}`.as(
        "finished_listen_id",
      ),
    })
    .from(songs)
    .innerJoin(recordings, eq(recordings.id, songs.ownRecordingId))
    .leftJoin(
      listens,
      and(eq(listens.userId, userId), eq(listens.songId, songs.id), isNull(listens.closedAt)),
    )
    .where(
      and(eq(songs.id, songId), eq(recordings.state, "submitted"), isNull(recordings.fileEndedAt)),
    );
  return row;
}

function fileOf(
  row: Partial<Record<"bytes" | "durationMs" | "audioStart" | "audioEnd", number | null>> & {
    type: ServedFile["type"] | null;
  },
): (PacedFile & { type: ServedFile["type"] }) | null {
  const { type, bytes, durationMs, audioStart, audioEnd = null } = row;
  if (type === null || bytes == null || durationMs == null || audioStart == null) return null;
  return { type, bytes, durationMs, audioStart, audioEnd };
}

/** Notes of what was delivered through a listen. Once the song was heard, nothing is noted any more. */
function notesOf(db: Database, listen: { listenId: string; recordingId: string }) {
  let isHeard = false;
  return async (fromMs: number, toMs: number): Promise<boolean> => {
    if (isHeard) return true;
    const [noted] = await noteDelivered(db, listen, { fromMs, toMs });
    isHeard = noted?.finishedAt != null;
    return noted !== undefined;
  };
}

/**
 * Moves on how far the file was delivered, if what was delivered leaves no gap. No row once the listen is over or
 * the song has another file, and then nothing counts.
 */
function noteDelivered(
  db: Database,
  { listenId, recordingId }: { listenId: string; recordingId: string },
  { fromMs, toMs }: { fromMs: number; toMs: number },
) {
  const { deliveredMs } = listens;
  return db
    .update(listens)
    .set({
      deliveredMs: sql`iif(${deliveredMs} >= ${fromMs}, max(${deliveredMs}, ${toMs}), ${deliveredMs})`,
    })
    .where(
      and(
        eq(listens.id, listenId),
        sql`(${listens.closedAt} IS NULL OR ${listens.finishedAt} IS NOT NULL)`,
        sql`EXISTS (SELECT 1 FROM songs WHERE songs.id = ${listens.songId} AND own_recording_id = ${recordingId})`,
      ),
    )
    .returning({ finishedAt: listens.finishedAt });
}
