import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { deleteFiles } from "~/sources/files/file-deletions.server";
import { makeRating, makeUser } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { deliverAll, mailsTo } from "../../support/mails";
import { makeOperator, report, seen } from "../../support/operator";
import { someone } from "../../support/people";
import { giveNewMix, makeSongWithFile, type SongWithFile } from "../../support/recordings/own-song";
import { bucketKeys, emptyBucket } from "../../support/recordings/uploads";

beforeEach(emptyBucket);

const ownEmail = "film@mail.example";

async function reported() {
  const owner = await someone({ ownEmail });
  const song = await makeSongWithFile(owner);
  await report(song);
  return { owner, song };
}

async function putCover({ recording: { id } }: SongWithFile): Promise<void> {
  await env.RECORDINGS.put(`${id}/cover`, new Uint8Array(9));
  await change("recordings", { id }, { coverType: "png", coverBytes: 9 });
}

/** How many files have ended, or are about to. */
async function ended(): Promise<number> {
  return (await rows("recordings")).filter(({ fileEndedAt }) => fileEndedAt !== null).length;
}

test("the operator hears a reported recording and sees its cover, and nobody else's", async () => {
  const { song } = await reported();
  const other = await makeSongWithFile(await makeUser());
  for (const one of [song, other]) await putCover(one);
  const { page, ask } = await makeOperator();
  const cover = `cover?of=${song.recording.id}`;
  for (const part of ["audio", cover]) {
    const path = `/songs/${song.id}/${part}`;
    expect(await page()).toContain(`src="${path}"`);
    expect((await ask(path)).status).toBe(200);
  }
  for (const part of ["audio", "cover"]) {
    expect((await ask(`/songs/${other.id}/${part}`)).status).toBe(404);
  }
});

test("the file of a song in the rotation is not deleted; taken out, all its mixes go, once, and its owner is told", async () => {
  const { song, owner } = await reported();
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song);
  await giveNewMix(song);
  const { page, act, decides } = await makeOperator();
  expect(await page()).not.toContain("Delete the file");
  expect((await decides(song, "delete_file", "Not yours.")).status).toBe(409);
  expect(await ended()).toBe(0);

  await decides(song, "take_out");
  const taken = await page();
  expect(taken).toContain("Delete the file");
  const reason = "It is <not> yours.";
  const form = { ...seen(taken, song.id), do: "delete_file", reason };
  const presses = await Promise.all([act(form), act(form)]);
  expect(presses.map(({ status }) => status)).toEqual([303, 303]);
  expect(await ended()).toBe(2);
  const line = { target: song.id, reason };
  expect(await row("operatorLog", { action: "delete_file" })).toMatchObject(line);
  await deleteFiles({ db, files: env.RECORDINGS, now: Date.now });
  expect(await bucketKeys()).toEqual([]);
  const after = await page();
  expect(after).toContain("deleted the file of");
  expect(after).not.toMatch(/Delete the file|\/audio|class="cover"/);

  await deliverAll();
  const mail = (await mailsTo(ownEmail)).find(({ subject }) => /deleted your file/.test(subject));
  expect(mail?.text).toContain(reason);
  expect(await owner.reads("/account")).toMatch(/The file was deleted on/);
});

test("a song whose file is deleted is put back, but not into the rotation", async () => {
  const { song, owner } = await reported();
  const { decides } = await makeOperator();
  for (const deed of ["take_out", "delete_file", "put_back"] as const) await decides(song, deed);
  const resting = { takenOut: null, restingSince: expect.any(Number), withdrawn: true };
  expect(await row("songs")).toMatchObject(resting);
  const resumed = await owner.posts(`/songs/${song.id}/resume`);
  expect(resumed.status).toBe(409);
  expect(await resumed.text()).toContain("file of this song is deleted. Upload it again");
});

test("operators delete no file of their own", async () => {
  const { user, act, page } = await makeOperator();
  const song = await makeSongWithFile(user);
  await report(song);
  await change("songs", {}, { restingSince: 1, withdrawn: true });
  expect(await page()).not.toContain(`/songs/${song.id}/audio`);
  const form = { do: "delete_file", song: song.id, seenAt: String(Date.now()), decidedAt: "" };
  expect((await act({ ...form, reason: "Mine." })).status).toBe(403);
  expect(await ended()).toBe(0);
});
