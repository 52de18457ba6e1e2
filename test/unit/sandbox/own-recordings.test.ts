import { expect, test } from "vitest";
import { readAudio } from "~/sources/files/read-audio";
import { ownRecordings } from "../../sandbox/own-recordings";
import { seedSql } from "../../sandbox/seed";
import { tuneWav } from "../../sandbox/tunes";
import { migratedDatabase } from "../migrated-database";

test("a dozen tunes of 5 to 8 seconds are what their rows say, and all different", async () => {
  expect(ownRecordings).toHaveLength(12);
  expect(new Set(ownRecordings.map(({ row }) => row.hash)).size).toBe(12);
  for (const { row, file } of ownRecordings) {
    const { bytes } = file;
    const read = async (at: number, length: number) => bytes.slice(at, at + length);
    const audio = await readAudio({ size: bytes.length, read });
    expect(audio).toMatchObject({ type: "wav", audioStart: row.audio_start });
    expect(audio).toMatchObject({ durationMs: row.duration_ms });
    expect(row.duration_ms).toBeGreaterThan(5000);
    expect(row.duration_ms).toBeLessThan(8000);
    expect(file.key).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}\/audio$/,
    );
  }
});

test("a tune sounds throughout, and is never cut off", () => {
  const bytes = tuneWav("Paper Boats");
  const view = new DataView(bytes.buffer, 44);
  const samples = Array.from({ length: view.byteLength / 2 }, (_, n) => view.getInt16(n * 2, true));
  for (let at = 0; at + 8000 <= samples.length - 8000; at += 8000) {
    const part = samples.slice(at, at + 8000).map(Math.abs);
    expect(Math.max(...part)).toBeGreaterThan(1000);
    expect(Math.max(...part)).toBeLessThan(32_767);
  }
  expect(samples.slice(-20).every((sample) => Math.abs(sample) < 100)).toBe(true);
});

test("in the seed each is in rotation, by a musician of its own", () => {
  const db = migratedDatabase();
  db.exec(seedSql("http://127.0.0.1:8788", Date.UTC(2026, 0, 15)));
  const songs = db
    .prepare("SELECT owner_id, owed FROM songs WHERE track_id IS NULL AND line_since IS NOT NULL")
    .all();
  expect(songs).toHaveLength(12);
  expect(new Set(songs.map(({ owner_id }) => owner_id)).size).toBe(12);
  db.close();
});
