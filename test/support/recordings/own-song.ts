/** Songs whose sound is a file of their owner's, in tests inside workerd. */
import { env } from "cloudflare:workers";
import type { PacedFile } from "~/recordings/pacing";
import {
  baseTime,
  insert,
  makeSong,
  type TestSong,
  type TestUser,
  unique,
} from "../database/factories";

export interface OwnSong extends TestSong {
  recordingId: string;
  file: PacedFile;
}

/** 16 kB a second: 4,000 bytes before the sound, three minutes of it. */
export const threeMinutes: PacedFile = {
  bytes: 2_884_000,
  durationMs: 180_000,
  audioStart: 4000,
  indexStart: null,
};

/** Each byte says where it is. */
export function bytesOf({ from, to }: { from: number; to: number }): Uint8Array {
  return Uint8Array.from({ length: to - from }, (_, place) => (from + place) % 251);
}

export async function makeOwnSong(
  owner: TestUser,
  file: PacedFile = threeMinutes,
): Promise<OwnSong> {
  const song = await makeSong(owner, { durationMs: file.durationMs });
  const recordingId = await makeRecording(owner, file);
  await giveFile(song, recordingId);
  return { ...song, recordingId, file };
}

export async function giveFile({ id }: { id: string }, recordingId: string): Promise<void> {
  await env.DB.prepare("UPDATE songs SET own_recording_id = ? WHERE id = ?")
    .bind(recordingId, id)
    .run();
}

export async function makeRecording(owner: TestUser, file: PacedFile): Promise<string> {
  const id = unique("recording");
  await env.RECORDINGS.put(`${id}/audio`, bytesOf({ from: 0, to: file.bytes }));
  await insert("recordings", {
    ...{ id, owner_id: owner.id, state: "submitted", hash: unique("hash"), type: "mp3" },
    ...{ bytes: file.bytes, duration_ms: file.durationMs, audio_start: file.audioStart },
    ...{ index_start: file.indexStart, title: id, artist: id, created_at: baseTime },
  }).run();
  return id;
}
