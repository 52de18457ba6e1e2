/** Own recordings whose files are in the bucket, in tests inside workerd. */
import { env } from "cloudflare:workers";
import type { PacedFile } from "~/sources/files/pacing";
import { submissionRow } from "../../sandbox/rows";
import {
  baseTime,
  insert,
  makeListen,
  makeOwnRecording,
  makeOwnSong,
  type OwnTestSong,
  type TestUser,
} from "../database/factories";

export interface SongWithFile extends OwnTestSong {
  file: PacedFile;
}

/** 16 kB a second: 4,000 bytes before the sound, three minutes of it. */
export const threeMinutes: PacedFile = {
  bytes: 2_884_000,
  durationMs: 180_000,
  audioStart: 4000,
  audioEnd: null,
};

/** Each byte says where it is. */
export function bytesOf({ from, to }: { from: number; to: number }): Uint8Array {
  return Uint8Array.from({ length: to - from }, (_, place) => (from + place) % 251);
}

export async function makeSongWithFile(
  owner: TestUser,
  file: PacedFile = threeMinutes,
): Promise<SongWithFile> {
  const song = await makeOwnSong(owner, { durationMs: file.durationMs });
  await putFile(song.recording, file);
  return { ...song, file };
}

/** The song has all its ratings, and its owner submits it again. */
export async function giveNewMix({ id, ownerId, file }: SongWithFile): Promise<void> {
  const owner = { id: ownerId, displayName: "" };
  const { durationMs } = file;
  const recording = await makeOwnRecording(owner, { state: "submitted", durationMs });
  await putFile(recording, file);
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE songs SET own_recording_id = ?, entitled = entitled + 5, owed = 5, owed_since = ?
       WHERE id = ?`,
    ).bind(recording.id, baseTime, id),
    insert(
      "submissions",
      submissionRow({
        ...{ song_id: id, owner_id: ownerId, number: 2, created_at: baseTime },
        own_recording_id: recording.id,
      }),
    ),
    env.DB.prepare("UPDATE users SET submitted_count = submitted_count + 1 WHERE id = ?").bind(
      ownerId,
    ),
  ]);
}

/** A listen of the song that was delivered and heard a moment ago. */
export async function hear(user: TestUser, song: SongWithFile): Promise<void> {
  const startedAt = Date.now() - 60_000;
  const id = await makeListen(user, song, { startedAt });
  await env.DB.prepare(
    "UPDATE listens SET delivered_ms = 60000, finished_at = ?, evidence = 'delivery' WHERE id = ?",
  )
    .bind(Date.now(), id)
    .run();
}

async function putFile({ id }: { id: string }, file: PacedFile): Promise<void> {
  await env.RECORDINGS.put(`${id}/audio`, bytesOf({ from: 0, to: file.bytes }));
  await env.DB.prepare(
    "UPDATE recordings SET type = 'mp3', bytes = ?, audio_start = ?, audio_end = ? WHERE id = ?",
  )
    .bind(file.bytes, file.audioStart, file.audioEnd, id)
    .run();
}
