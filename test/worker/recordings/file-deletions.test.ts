import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { exportAccount } from "~/account/export.server";
import { retentionDays } from "~/db/periods";
import { readConfig } from "~/platform/env";
import { deleteFiles, lookAfterFiles } from "~/sources/files/file-deletions.server";
import { longestUploadMs } from "~/sources/files/take-in.server";
import { counts } from "../../support/answers";
import { passTime } from "../../support/clock";
import { baseTime, insert, makeRating } from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import { ownSong, someone } from "../../support/people";
import { uploader } from "../../support/people/uploader";
import { makeWav } from "../../support/recordings/sound-files";
import { brokenFiles, bucketKeys, emptyBucket } from "../../support/recordings/uploads";
import { everyTenMinutes, runJobs } from "../../support/worker";

const day = 24 * 60 * 60 * 1000;
const services = { db, files: env.RECORDINGS, now: () => Date.now() };
const audioOf = (...ids: string[]) => ids.sort().map((id) => `${id}/audio`);

beforeEach(emptyBucket);

/** Runs the ten-minute job through one whole day, in which each file is looked at. */
async function lookForADay(): Promise<{ strays: number; missing: number }> {
  const sum = { strays: 0, missing: 0 };
  const begun = Date.now();
  for (let run = 0; run < 144; run += 1) {
    const found = await lookAfterFiles({ ...services, now: () => begun + run * 600_000 });
    sum.strays += found.strays;
    sum.missing += found.missing;
  }
  return sum;
}

/** A song with its file, which has got its five ratings at a time, or is still owed them. */
async function submitted(completedAt?: number, restingSince: number | null = null) {
  const song = await ownSong();
  await env.RECORDINGS.put(`${song.recording.id}/audio`, new Uint8Array(3_000_000));
  for (let n = 0; completedAt !== undefined && n < 5; n += 1) {
    await makeRating(await someone(), song, { at: completedAt });
  }
  await change("songs", { id: song.id }, { restingSince });
  return { id: song.recording.id, song };
}

test("a draft goes after a day, row first, file second", async () => {
  const id = await (await uploader()).drafts();
  passTime(day - 60_000);
  await runJobs(everyTenMinutes);
  expect(await bucketKeys()).toEqual(audioOf(id));
  passTime(120_000);
  await runJobs(everyTenMinutes);
  expect([await rows("recordings"), await bucketKeys(), await brokenFiles()]).toEqual([[], [], []]);
});

test("what is to go is deleted until nothing can bring it any more", async () => {
  await insert("file_deletions", { key: "late/audio", created_at: Date.now() }).run();
  await deleteFiles(services);
  // An upload that had begun before ends only now.
  await env.RECORDINGS.put("late/audio", "sound");
  passTime(longestUploadMs - 1000);
  await deleteFiles(services);
  expect([await bucketKeys(), (await rows("fileDeletions")).length]).toEqual([[], 1]);
  passTime(2000);
  await deleteFiles(services);
  await counts("fileDeletions", 0);
});

test("a thousand and more go in portions, the oldest first", async () => {
  const lines = Array.from({ length: 1100 }, (_, n) =>
    insert("file_deletions", { key: `f${n}/audio`, created_at: n + 1 }),
  );
  await env.DB.batch(lines);
  for (const count of [1000, 100, 0]) expect(await deleteFiles(services)).toEqual({ count });
});

test("files go with the account, and with the song", async () => {
  const who = await uploader();
  const id = await who.drafts();
  const { song, id: submittedId } = await submitted();
  expect((await bucketKeys()).sort()).toEqual(audioOf(id, submittedId));
  await who.leaves();
  await change("users", { id: song.ownerId }, { submittedCount: 0 });
  await env.DB.prepare("DELETE FROM songs").run();
  await counts("recordings", 0);
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual([]);
});

test("a file is kept for ninety days after its song has left the rotation, and the results after that", async () => {
  const at = Date.now() - retentionDays.files * day;
  const over = await submitted(at - 1);
  const resting = await submitted(undefined, at - 1);
  const late = await submitted(at + 2 * day);
  const running = await submitted();
  await lookForADay();
  const ended = (await rows("recordings")).filter(({ fileEndedAt }) => fileEndedAt !== null);
  expect(ended.map(({ id }) => id).sort()).toEqual([over.id, resting.id].sort());
  await deleteFiles(services);
  expect((await bucketKeys()).sort()).toEqual(audioOf(late.id, running.id));
  expect([(await rows("songs")).length, await brokenFiles()]).toEqual([4, []]);
});

test("after a database was restored, files without rows go, and rows without files raise an alarm", async () => {
  const who = await uploader();
  const [kept, gone] = [await who.drafts(), await who.drafts({ file: makeWav(7) })];
  await env.RECORDINGS.put(`${crypto.randomUUID()}/audio`, "sound");
  await env.RECORDINGS.delete(`${gone}/audio`);
  expect(await brokenFiles()).toEqual([
    "a recording whose file is kept has it, as long as its row says",
    "each file has a row, or is to be deleted",
  ]);
  await change("recordings", {}, { createdAt: baseTime });
  expect(await lookForADay()).toEqual({ strays: 1, missing: 1 });
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual(audioOf(kept));
});

test("the export tells what is stored, and where the file is", async () => {
  const who = await uploader();
  const id = await who.drafts();
  const asked = { now: Date.now(), secret: readConfig(env).sessionSecret };
  const { ownRecordings } = await exportAccount(db, await who.viewer(), asked);
  expect(ownRecordings).toEqual([
    {
      ...{ recordingId: id, title: "First light", artist: who.displayName, state: "draft" },
      ...{ type: "wav", bytes: 96_044, durationMs: 6000, sha256: expect.any(String) },
      ...{ file: `/recordings/${id}/audio`, coverType: null, coverBytes: null, cover: null },
      ...{ mixOf: null, loudnessLufs: null, made: "people", agreedCost: 6, hearing: null },
      ...{ uploadedAt: expect.any(String), fileEndedAt: null },
    },
  ]);
});
