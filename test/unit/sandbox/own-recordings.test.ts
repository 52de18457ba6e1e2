import { expect, test } from "vitest";
import { readAudio } from "~/sources/files/read-audio";
import { ownRecordings } from "../../sandbox/own-recordings";
import { seedSql } from "../../sandbox/seed";
import { migratedDatabase } from "../migrated-database";

test("a dozen tunes are what their rows say, all different, and in rotation by a musician each", async () => {
  for (const { row, file } of ownRecordings) {
    const { bytes } = file;
    const read = async (at: number, length: number) => bytes.slice(at, at + length);
    const { audio_start: audioStart, duration_ms: durationMs } = row;
    const audio = await readAudio({ size: bytes.length, read });
    expect(audio).toMatchObject({ type: "wav", audioStart, durationMs });
    expect(durationMs).toBeGreaterThan(5000);
    expect(file.key).toBe(`${row.id}/audio`);
  }
  const db = migratedDatabase();
  db.exec(seedSql("http://127.0.0.1:8788", Date.UTC(2026, 0, 15)));
  const songs = db
    .prepare(
      `SELECT owner_id, recording FROM songs WHERE track_id IS NULL AND line_since IS NOT NULL`,
    )
    .all();
  for (const column of ["owner_id", "recording"]) {
    expect(new Set(songs.map((song) => song[column])).size).toBe(12);
  }
  db.close();
});
