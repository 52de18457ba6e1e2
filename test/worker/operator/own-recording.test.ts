import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { deleteFiles } from "~/sources/files/file-deletions.server";
import { rowsOf } from "../../support/database/contents";
import { insert, makeRating, makeUser, unique } from "../../support/database/factories";
import { findViolations } from "../../support/database/invariants";
import { makeMember } from "../../support/login";
import { deliver, mailsTo } from "../../support/mails";
import { makeOperator, seen } from "../../support/operator";
import { giveNewMix, makeSongWithFile, type SongWithFile } from "../../support/recordings/own-song";
import { bucketKeys, emptyBucket } from "../../support/recordings/uploads";
import { request } from "../../support/request";

beforeEach(emptyBucket);

const services = {
  db: createDatabase(env.DB),
  files: env.RECORDINGS,
  now: () => Date.now(),
};

async function report({ id }: SongWithFile): Promise<void> {
  const words = "This is from a film.";
  const row = { id: unique("report"), song_id: id, reporter_id: (await makeUser()).id, words };
  await insert("reports", { ...row, created_at: Date.now() - 60_000 }).run();
}

async function makeReported() {
  const ownEmail = `${unique("own")}@mail.example`;
  const owner = await makeMember({ ownEmail });
  const song = await makeSongWithFile(owner.user);
  await report(song);
  return { owner, ownEmail, song };
}

const ended = "SELECT count(*) AS ended FROM recordings WHERE file_ended_at IS NOT NULL";

async function putCover({ recording: { id } }: SongWithFile): Promise<void> {
  await env.RECORDINGS.put(`${id}/cover`, new Uint8Array(9));
  const sql = "UPDATE recordings SET cover_type = 'png', cover_bytes = 9 WHERE id = ?";
  await env.DB.prepare(sql).bind(id).run();
}

test("the operator hears a reported recording and sees its cover, and nobody else's", async () => {
  const { song } = await makeReported();
  const other = await makeSongWithFile(await makeUser());
  await putCover(song);
  await putCover(other);
  const { page, ask } = await makeOperator();
  const path = `/songs/${song.id}/audio`;
  expect(await page()).toContain(`src="${path}"`);
  expect((await ask(path)).status).toBe(200);
  expect((await ask(`/songs/${other.id}/audio`)).status).toBe(404);
  const cover = `/songs/${song.id}/cover?of=${song.recording.id}`;
  expect(await page()).toContain(`src="${cover}"`);
  expect((await ask(cover)).status).toBe(200);
  expect((await ask(`/songs/${other.id}/cover`)).status).toBe(404);
});

test("the file of a song in the rotation is not deleted; taken out, all its mixes go, once, and its owner is told", async () => {
  const { song, owner, ownEmail } = await makeReported();
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song);
  await giveNewMix(song);
  const { page, act } = await makeOperator();
  const before = await page();
  expect(before).not.toContain("Delete the file");
  const early = await act({ ...seen(before, song.id), do: "delete_file", reason: "Not yours." });
  expect(early.status).toBe(409);
  expect(await rowsOf(ended)).toEqual([{ ended: 0 }]);

  await act({ ...seen(before, song.id), do: "take_out", reason: "A film's." });
  const taken = await page();
  expect(taken).toContain("Delete the file");
  const form = { ...seen(taken, song.id), do: "delete_file", reason: "It is <not> yours." };
  const presses = await Promise.all([act(form), act(form)]);
  expect(presses.map(({ status }) => status)).toEqual([303, 303]);
  expect(await rowsOf(ended)).toEqual([{ ended: 2 }]);
  expect(
    await rowsOf("SELECT action, target, reason FROM operator_log WHERE action = 'delete_file'"),
  ).toEqual([{ action: "delete_file", target: song.id, reason: "It is <not> yours." }]);
  await deleteFiles(services);
  expect(await bucketKeys()).toEqual([]);
  const after = await page();
  expect(after).toContain("deleted the file of");
  expect(after).not.toContain("Delete the file");
  expect(after).not.toContain("/audio");
  expect(after).not.toContain('class="cover"');

  const owed = (await rowsOf("SELECT id FROM outbox WHERE kind = 'decision'")) as { id: string }[];
  await deliver(owed.map(({ id }) => id));
  const mail = (await mailsTo(ownEmail)).find(({ subject }) => /deleted your file/.test(subject));
  expect(mail?.text).toContain("It is <not> yours.");
  const account = await (await request("/account", { cookie: owner.cookie })).text();
  expect(account).toMatch(/The file was deleted on/);
});

test("a song whose file is deleted is put back, but not into the rotation", async () => {
  const { song, owner } = await makeReported();
  const { page, act } = await makeOperator();
  await act({ ...seen(await page(), song.id), do: "take_out", reason: "A film's." });
  await act({ ...seen(await page(), song.id), do: "delete_file", reason: "A film's." });
  await act({ ...seen(await page(), song.id), do: "put_back", reason: "It was not." });
  expect(
    await rowsOf("SELECT taken_out, resting_since IS NOT NULL AS rests, withdrawn FROM songs"),
  ).toEqual([{ taken_out: null, rests: 1, withdrawn: 1 }]);
  const resumed = await request(`/songs/${song.id}/resume`, { cookie: owner.cookie, form: {} });
  expect([resumed.status, await resumed.text()]).toEqual([
    409,
    expect.stringMatching(/file of this song is deleted. Upload it again/),
  ]);
  expect(await findViolations(env.DB)).toEqual([]);
});

test("operators delete no file of their own", async () => {
  const { user, act, page } = await makeOperator();
  const song = await makeSongWithFile(user);
  await report(song);
  await env.DB.prepare("UPDATE songs SET resting_since = 1, withdrawn = 1 WHERE id = ?")
    .bind(song.id)
    .run();
  expect(await page()).not.toContain(`/songs/${song.id}/audio`);
  const form = { do: "delete_file", song: song.id, seenAt: String(Date.now()), decidedAt: "" };
  expect((await act({ ...form, reason: "Mine." })).status).toBe(403);
  expect(await rowsOf(ended)).toEqual([{ ended: 0 }]);
});
