import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "~/account/delete.server";
import { exportAccount } from "~/account/export.server";
import { createDatabase } from "~/db/client.server";
import { retentionDays } from "~/db/periods";
import { readConfig } from "~/platform/env";
import { selectFileBytes } from "~/sources/files/drafts.server";
import { deleteFiles, lookAfterFiles } from "~/sources/files/file-deletions.server";
import { longestUploadMs } from "~/sources/files/take-in.server";
import { passTime } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeOwnSong,
  makeRating,
  makeUser,
} from "../../support/database/factories";
import { viewerOf } from "../../support/login";
import { makeWav } from "../../support/recordings/sound-files";
import {
  brokenFiles,
  bucketKeys,
  emptyBucket,
  makeUploader,
  uploaded,
} from "../../support/recordings/uploads";
import { stubBilling } from "../../support/stripe/billing-stub";
import { everyTenMinutes, runJobs } from "../../support/worker";

const db = createDatabase(env.DB);
const { sessionSecret: secret } = readConfig(env);
const day = 24 * 60 * 60 * 1000;
const services = { db, files: env.RECORDINGS, now: () => Date.now() };

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
async function makeSubmitted({
  completedAt = null as number | null,
  restingSince = null as number | null,
} = {}) {
  const owner = await makeUser();
  const song = await makeOwnSong(owner);
  await env.RECORDINGS.put(`${song.recording.id}/audio`, new Uint8Array(3_000_000));
  for (let n = 0; completedAt !== null && n < 5; n += 1) {
    await makeRating(await makeUser(), song, { at: completedAt });
  }
  await env.DB.prepare("UPDATE songs SET resting_since = ? WHERE id = ?")
    .bind(restingSince, song.id)
    .run();
  return { id: song.recording.id, songId: song.id, owner };
}

test("a draft goes after a day, row first, file second", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie);
  passTime(day - 60_000);
  await runJobs(everyTenMinutes);
  expect(await bucketKeys()).toEqual([`${id}/audio`]);
  passTime(120_000);
  await runJobs(everyTenMinutes);
  expect(await rowsOf("SELECT id FROM recordings")).toEqual([]);
  expect(await bucketKeys()).toEqual([]);
  expect(await brokenFiles()).toEqual([]);
});

test("what is to go is deleted until nothing can bring it any more", async () => {
  await insert("file_deletions", { key: "late/audio", created_at: Date.now() }).run();
  await deleteFiles(services);
  // An upload that had begun before ends only now.
  await env.RECORDINGS.put("late/audio", "sound");
  passTime(longestUploadMs - 1000);
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual([]);
  expect((await rowsOf("SELECT key FROM file_deletions")).length).toBe(1);
  passTime(2000);
  await deleteFiles(services);
  expect(await rowsOf("SELECT key FROM file_deletions")).toEqual([]);
});

test("a thousand and more go in portions, the oldest first", async () => {
  const lines = Array.from({ length: 1100 }, (_, n) =>
    insert("file_deletions", { key: `f${n}/audio`, created_at: n + 1 }),
  );
  await env.DB.batch(lines);
  expect(await deleteFiles(services)).toEqual({ count: 1000 });
  expect(await deleteFiles(services)).toEqual({ count: 100 });
  expect(await deleteFiles(services)).toEqual({ count: 0 });
});

test("files go with the account, and with the song", async () => {
  const { user, cookie } = await makeUploader();
  const id = await uploaded(cookie);
  const { songId, owner, id: submitted } = await makeSubmitted();
  expect((await bucketKeys()).sort()).toEqual([`${id}/audio`, `${submitted}/audio`].sort());
  await deleteAccount({ ...services, billing: stubBilling(), secret }, user.id);
  await env.DB.prepare("UPDATE users SET submitted_count = 0 WHERE id = ?").bind(owner.id).run();
  await env.DB.prepare("DELETE FROM songs WHERE id = ?").bind(songId).run();
  expect(await rowsOf("SELECT id FROM recordings")).toEqual([]);
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual([]);
});

test("a file is kept for ninety days after its song has left the rotation, and the results after that", async () => {
  const at = Date.now() - retentionDays.files * day;
  const over = await makeSubmitted({ completedAt: at - 1 });
  const resting = await makeSubmitted({ restingSince: at - 1 });
  const late = await makeSubmitted({ completedAt: at + 2 * day });
  const running = await makeSubmitted();
  await lookForADay();
  const ended = await rowsOf(
    "SELECT id FROM recordings WHERE file_ended_at IS NOT NULL ORDER BY id",
  );
  expect(ended).toEqual([over.id, resting.id].sort().map((id) => ({ id })));
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual([late.id, running.id].sort().map((id) => `${id}/audio`));
  expect((await rowsOf("SELECT id FROM songs")).length).toBe(4);
  expect(await brokenFiles()).toEqual([]);
});

test("after a database was restored, files without rows go, and rows without files raise an alarm", async () => {
  const { cookie } = await makeUploader();
  const [kept, gone] = [await uploaded(cookie), await uploaded(cookie, { file: makeWav(7) })];
  const stray = crypto.randomUUID();
  await env.RECORDINGS.put(`${stray}/audio`, "sound");
  await env.RECORDINGS.delete(`${gone}/audio`);
  expect(await brokenFiles()).toEqual([
    "a recording whose file is kept has it, as long as its row says",
    "each file has a row, or is to be deleted",
  ]);
  await env.DB.prepare("UPDATE recordings SET created_at = ?").bind(baseTime).run();
  expect(await lookForADay()).toEqual({ strays: 1, missing: 1 });
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual([`${kept}/audio`]);
});

test("the export tells what is stored, and where the file is", async () => {
  const { user, id: sessionId, cookie } = await makeUploader();
  const id = await uploaded(cookie);
  const now = Date.now();
  const { ownRecordings } = await exportAccount(db, await viewerOf(sessionId), { now, secret });
  expect(ownRecordings).toEqual([
    {
      ...{ recordingId: id, title: "First light", artist: user.displayName, state: "draft" },
      ...{ type: "wav", bytes: 96_044, durationMs: 6000, sha256: expect.any(String) },
      ...{ file: `/recordings/${id}/audio`, coverType: null, coverBytes: null, cover: null },
      ...{ mixOf: null, agreedCost: 6, hearing: null },
      ...{ uploadedAt: expect.any(String), fileEndedAt: null },
    },
  ]);
  expect(await selectFileBytes(db)).toEqual([{ bytes: 96_044 }]);
});
