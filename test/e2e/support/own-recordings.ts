/** Makes songs own recordings, with a file in the bucket of the app that runs. */
import { createHash } from "node:crypto";
import { type RatedSong, recordingRow } from "../../sandbox/rows.ts";
import { onDatabase, writeRows } from "./local-database.ts";
import { unique } from "./musician.ts";

/** Where wrangler lets local files be put, as Cloudflare's API does. */
const objects = `${process.env.E2E_ORIGIN}/cdn-cgi/local/explorer/api/r2/buckets/fivefold-recordings/objects`;

const headerBytes = 44;

/** A tone of so many seconds: one channel of 8 bits, 8,000 times a second. */
function toneWav(seconds: number, rate = 8000): Uint8Array<ArrayBuffer> {
  const samples = seconds * rate;
  const file = new Uint8Array(headerBytes + samples);
  const view = new DataView(file.buffer);
  const words: [number, string][] = [
    [0, "RIFF"],
    [8, "WAVE"],
    [12, "fmt "],
    [36, "data"],
  ];
  for (const [at, word] of words) file.set(new TextEncoder().encode(word), at);
  view.setUint32(4, 36 + samples, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  view.setUint32(40, samples, true);
  for (let at = 0; at < samples; at++) {
    file[headerBytes + at] = 128 + Math.round(40 * Math.sin((at / rate) * 440 * 2 * Math.PI));
  }
  return file;
}

/** From then on the songs that a musician is offered are own recordings, tones of so many seconds. */
export async function makeOwnRecordings(
  { offered }: { offered: Pick<RatedSong, "id" | "ownerId">[] },
  seconds: number,
  rate?: number,
): Promise<void> {
  const file = toneWav(seconds, rate);
  for (const { id, ownerId } of offered) {
    const recordingId = `recording-${unique()}`;
    const uploaded = await fetch(`${objects}/${encodeURIComponent(`${recordingId}/audio`)}`, {
      method: "PUT",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
    });
    if (!uploaded.ok) throw new Error(`${uploaded.status} ${await uploaded.text()}`);
    const row = recordingRow({ id: recordingId, owner_id: ownerId, created_at: 1 });
    // Its cover is drawn from it, and two songs with one file are one recording.
    const hash = createHash("sha256").update(recordingId).digest("base64url");
    const read = { hash, drawn_from: hash, type: "wav", bytes: file.byteLength };
    const sound = { audio_start: headerBytes, duration_ms: seconds * 1000 };
    await writeRows({
      recordings: [{ ...row, ...read, ...sound }],
    });
    await onDatabase(
      `UPDATE songs SET track_id = NULL, spotify_url = NULL, isrc = NULL, album = '',
         own_recording_id = ?, duration_ms = ? WHERE id = ?`,
      [recordingId, String(seconds * 1000), id],
    );
    await onDatabase(
      `UPDATE listens SET evidence = 'delivery', delivered_ms = required_seconds * 1000
       WHERE song_id = ? AND finished_at IS NOT NULL`,
      [id],
    );
    await onDatabase("UPDATE submissions SET own_recording_id = ? WHERE song_id = ?", [
      recordingId,
      id,
    ]);
  }
}
