import { type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { recordings, songs } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { lockReason } from "~/members/what-outlives.server";
import { sign } from "~/platform/crypto.server";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { counted } from "~/platform/text";
import type { AudioFile } from "./audio-file";
import { type AudioUpload, beginUpload } from "./audio-upload.server";
import { audioInBucket, FileFault, putCover, putIndexInFront } from "./bucket.server";
import { audioKey, coverKey } from "./files";
import { readAudio } from "./read-audio";
import { maxDrafts, tooManyDrafts } from "./upload-fields";
import { type FormPiece, readUploadForm, type UploadedForm } from "./upload-form.server";
import { uploadRoom } from "./upload-room";

export interface FileServices extends DatabaseAndClock {
  files: R2Bucket;
}

/** After this time nothing of an upload comes any more. */
export const longestUploadMs = 20 * 60 * 1000;

export const maxUploadsPerDay = 20;

/** What is refused so soon, most often a form without a file or with one of another kind, uses none of them up. */
const soonMs = 30_000;
export const maxAttemptsPerDay = 60;

/**
 * Takes a recording in (rule 42, uploads): its row first, then its file, which is read and becomes a draft. Refuses what
 * `readAudio` does, a fourth draft, more than twenty uploads or sixty attempts a day, what there is no room for in
 * memory, a mix of a song that is not theirs, and a file that is whole only when its owner is not logged in any more,
 * is locked, or has spent the credits (`cost`). A file that the owner has a draft of takes that draft's place.
 */
export async function takeIn(
  services: FileServices & { config: { sessionSecret: string }; takesGenerated: boolean },
  viewer: Viewer,
  form: AsyncIterable<FormPiece>,
  { cost, reach }: { cost: number | null; reach: MixReach },
): Promise<{ recordingId: string; replaces: boolean } | Rejection> {
  const { db, files, config, now } = services;
  const id = crypto.randomUUID();
  const place = uploadRoom.enter({ now, wait: (ms) => scheduler.wait(ms) });
  const begun: { row?: true; upload?: AudioUpload } = {};
  let isTaken = false;
  try {
    const read = await readUploadForm(form, {
      place,
      takesGenerated: services.takesGenerated,
      async begin() {
        const obstacle = await beginRecording(db, viewer.userId, { id, cost, now: now() });
        if (!obstacle) begun.row = true;
        return obstacle;
      },
      async open() {
        begun.upload = await beginUpload(files, audioKey(id), place);
        return begun.upload;
      },
    });
    const { upload } = begun;
    if (isRejection(read) || !upload) return isRejection(read) ? read : lost;
    const hash = await upload.finish();
    const audio = await readAudio(audioInBucket(files, id, upload.size()));
    if (isRejection(audio)) return audio;
    if (audio.type === "m4a") await putIndexInFront(files, id, upload.size());
    if (read.cover) await putCover(files, id, read.cover.bytes);
    const drawnFrom = await drawnFromFile(config.sessionSecret, hash);
    const file = { ...audio, hash, drawnFrom, bytes: upload.size() };
    const arrived = { id, file, form: read, cost, reach, now: now() };
    const outcome = await becomeDraft(db, viewer, arrived);
    if (isRejection(outcome)) return outcome;
    isTaken = true;
    logEvent("recording_taken", { kind: audio.type });
    return { recordingId: id, ...outcome };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    logEvent("upload_failed", { error });
    return lost;
  } finally {
    place.leave();
    if (!isTaken && begun.row) await giveUp(services, id, begun.upload);
  }
}

/** What the cover of a file is drawn from, by its hash. */
export function drawnFromFile(secret: string, hash: string): Promise<string> {
  return sign(secret, "drawn cover", hash);
}

/** The row of a file that begins to come. @returns why there is none. */
async function beginRecording(
  db: Database,
  ownerId: string,
  { id, cost, now }: { id: string; cost: number | null; now: number },
): Promise<Rejection | null> {
  const drafts = countOwn(
    ownerId,
    sql`file_ended_at IS NULL AND (state = 'draft'
      OR state = 'arriving' AND created_at > ${now - longestUploadMs})`,
  );
  const isToday = sql`created_at > ${now - dayMs}`;
  const attempts = countOwn(ownerId, isToday);
  const today = countOwn(
    ownerId,
    sql`${isToday} AND iif(state = 'arriving', ifnull(file_ended_at >= created_at + ${soonMs}, 1), 1)`,
  );
  const tooMany = sql`(${today} >= ${maxUploadsPerDay} OR ${attempts} >= ${maxAttemptsPerDay})`;
  const { counts, begun } = await runBatch(db, {
    counts: db
      .select({
        drafts: drafts.as("drafts"),
        isTooMany: sql<number>`${tooMany}`.as("is_too_many"),
      })
      .from(sql`(SELECT 1)`),
    begun: insertSelect(db, recordings, {
      row: {
        ...{ id, ownerId: sql`id`, state: "arriving", title: "", artist: "", createdAt: now },
        agreedCost: cost,
      },
      from: sql`FROM users WHERE id = ${ownerId} AND ${lockReason(ownerId)} IS NULL
        AND ${drafts} < ${maxDrafts} AND NOT ${tooMany}`,
    }).returning({ id: recordings.id }),
  });
  if (begun.length > 0) return null;
  if (counts[0]?.isTooMany) return tooManyToday;
  return (counts[0]?.drafts ?? 0) >= maxDrafts ? tooManyDrafts : tooLate;
}

function countOwn(ownerId: string, which: SQL): SQL<number> {
  return sql<number>`(SELECT count(*) FROM recordings WHERE owner_id = ${ownerId} AND ${which})`;
}

/** Whether too few listeners are left for a new mix of a song, and what is said then. */
interface MixReach {
  isReached(songId: SQL<string | null>): SQL;
  error: Rejection;
}

interface ArrivedFile extends AudioFile {
  hash: string;
  drawnFrom: string;
  bytes: number;
}

/** Of two files with the same bytes, the later one stays: it has what its owner says of it now. */
async function becomeDraft(
  db: Database,
  viewer: Viewer,
  arrived: {
    id: string;
    file: ArrivedFile;
    form: UploadedForm;
    cost: number | null;
    reach: MixReach;
    now: number;
  },
): Promise<{ replaces: boolean } | Rejection> {
  const { id, file, form, cost, reach, now } = arrived;
  const { userId, session } = viewer;
  const mixOf = form.song || null;
  const itsSong = sql`songs.id = ${mixOf} AND songs.owner_id = ${userId} AND songs.track_id IS NULL`;
  const isArriving = sql`id = ${id} AND state = 'arriving' AND file_ended_at IS NULL`;
  const isReached = reach.isReached(sql`${mixOf}`);
  const mayBecome = sql`EXISTS (SELECT 1 FROM recordings WHERE ${isArriving})
    AND (${mixOf} IS NULL OR EXISTS (SELECT 1 FROM songs WHERE ${itsSong}) AND NOT ${isReached})
    AND EXISTS (SELECT 1 FROM users JOIN sessions ON user_id = users.id
      WHERE users.id = ${userId} AND sessions.id = ${session.id} AND expires_at > ${now}
        AND credits >= ${cost ?? 0} AND ${lockReason(userId)} IS NULL)`;
  const { audioBytes: _audioBytes, ...columns } = file;
  const { draft, song, earlier } = await runBatch(db, {
    song: db
      .select({ isReached: asBoolean(isReached, "is_reached") })
      .from(songs)
      .where(itsSong),
    earlier: db
      .update(recordings)
      .set({ fileEndedAt: now })
      .where(sql`owner_id = ${userId} AND hash = ${file.hash} AND state = 'draft'
        AND file_ended_at IS NULL AND ${mayBecome}`)
      .returning({ id: recordings.id }),
    draft: db
      .update(recordings)
      .set({
        ...columns,
        state: "draft",
        title: form.title,
        artist: form.artist || viewer.displayName,
        made: form.made,
        mixOf,
        coverType: form.cover?.type ?? null,
        coverBytes: form.cover?.bytes.length ?? null,
      })
      .where(sql`${isArriving} AND ${mayBecome}`)
      .returning({ id: recordings.id }),
  });
  if (draft.length > 0) return { replaces: earlier.length > 0 };
  if (mixOf !== null && song.length === 0) return noSuchSong;
  return song[0]?.isReached ? reach.error : tooLate;
}

/**
 * Whatever of this fails, the job deletes what is left. Where the row is no longer arriving, an answer was lost, and
 * the draft is there.
 */
async function giveUp(
  { db, files, now }: FileServices,
  id: string,
  upload: AudioUpload | undefined,
): Promise<void> {
  try {
    await upload?.abort();
    const ended = await db
      .update(recordings)
      .set({ fileEndedAt: now() })
      .where(sql`id = ${id} AND state = 'arriving' AND file_ended_at IS NULL`)
      .returning({ id: recordings.id });
    if (ended.length > 0) await files.delete([audioKey(id), coverKey(id)]);
  } catch (error) {
    logEvent("upload_not_given_up", { error });
  }
}

const lost = reject(
  503,
  "Your song could not be stored just now. Nothing was kept. Try again in a minute.",
);
const tooManyToday = reject(
  409,
  `You have uploaded ${counted(maxUploadsPerDay, "file")} within a day. Try again tomorrow.`,
);
const noSuchSong = reject(
  404,
  "The song that this is a new mix of is not one of your own recordings. Nothing was kept.",
);
const tooLate = reject(
  409,
  "While your file came, you have logged out or can no longer submit a song. Nothing was kept.",
);
