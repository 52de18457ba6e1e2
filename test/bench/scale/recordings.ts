/** Uploading own recordings, and hearing them. */
import { randomUUID } from "node:crypto";
import { joined, makeWav } from "../../support/recordings/sound-files.ts";
import type { CountedApp } from "../worker/counted-app.ts";
import { makeRoom, musician, type Run } from "./world.ts";

/** A song of three and a half minutes, as programs export it: at 320 kbit/s, and as on a CD. */
const seconds = 210;
const files = {
  MP3: mp3(seconds),
  WAV: makeWav(seconds, { wavRate: 44_100, channels: 2 }),
};
export const fileBytes = { MP3: files.MP3.length, WAV: files.WAV.length };

let uploads = 0;

function upload(kind: keyof typeof files): Run {
  return {
    name: `uploading, as ${kind}`,
    who: "light",
    async prepare(app, userId) {
      await app.sql("UPDATE users SET credits = credits + 6, rated_count = rated_count + 6");
      await makeRoom(app, userId);
      await app.sql("UPDATE recordings SET created_at = 1 WHERE owner_id = ?", userId);
      await app.sql(
        "UPDATE recordings SET file_ended_at = 2 WHERE owner_id = ? AND state = 'draft'",
        userId,
      );
      uploads += 1;
      // Of two files with the same bytes, one is deleted.
      const file = files[kind].slice();
      file[file.length - 1] = uploads;
      const form = new FormData();
      form.set("title", "First light");
      form.set("artist", "");
      form.set("rights", "yes");
      form.set("file", new File([file], `song.${kind.toLowerCase()}`));
      const posted = new Response(form);
      const type = posted.headers.get("Content-Type") ?? "";
      return {
        path: "/recordings",
        cookie: await app.logIn(userId, musician),
        body: new Uint8Array(await posted.arrayBuffer()),
        headers: { "Content-Type": type, Accept: "application/json" },
      };
    },
  };
}

export const recordingRuns: Run[] = [
  upload("MP3"),
  upload("WAV"),
  {
    name: "sound of an own recording, to its end",
    who: "light",
    status: 206,
    async prepare(app, userId) {
      const song = await soundingSong(app, userId);
      const packageId = randomUUID();
      await app.sql("DELETE FROM packages WHERE user_id = ?", userId);
      await app.sql("INSERT INTO packages VALUES (?, ?, 1, ?)", packageId, userId, Date.now());
      await app.sql("INSERT INTO package_songs VALUES (?, ?, 0, NULL)", packageId, song.id);
      await app.sql(
        "UPDATE listens SET closed_at = ?2 WHERE user_id = ?1 AND closed_at IS NULL",
        ...[userId, Date.now()],
      );
      const listenId = randomUUID();
      // So long ago that all of it may be delivered.
      await app.sql(
        `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at)
         VALUES (?, ?, ?, 55, ?)`,
        ...[listenId, userId, song.id, Date.now() - seconds * 1000],
      );
      return {
        path: `/songs/${song.id}/audio?listen=${listenId}`,
        cookie: await app.logIn(userId, musician),
        headers: { Range: "bytes=0-" },
      };
    },
  },
];

/** An own recording of somebody else's that the user has not heard, with its file in the bucket. */
async function soundingSong(app: CountedApp, userId: string): Promise<{ id: string }> {
  const [song] = await app.sql<{ id: string; file: string }>(
    `SELECT id, own_recording_id AS file FROM songs WHERE line_since > 0 AND owner_id <> ?1
       AND own_recording_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM listens WHERE user_id = ?1 AND song_id = songs.id) LIMIT 1`,
    userId,
  );
  if (!song) throw new Error("every own recording is heard");
  await app.files.put(`${song.file}/audio`, files.MP3);
  await app.sql(
    "UPDATE recordings SET bytes = ?2, duration_ms = ?3, audio_start = 0 WHERE id = ?1",
    ...[song.file, files.MP3.length, seconds * 1000],
  );
  return song;
}

/** Silence at 320 kbit/s, in frames of MPEG 1, layer III. */
function mp3(length: number) {
  const frame = joined([0xff, 0xfb, 0xe0, 0xc0], new Uint8Array(1040));
  return joined(...Array.from({ length: Math.round((length * 44_100) / 1152) }, () => frame));
}
