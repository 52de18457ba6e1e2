import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { deleteFiles } from "~/sources/files/file-deletions.server";
import { makeRating, makeUser } from "../../support/database/factories";
import { change, db, row, rows } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
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
    shows(await page(), `src="${path}"`);
    await answers(ask(path), 200);
  }
  for (const part of ["audio", "cover"]) {
    await answers(ask(`/songs/${other.id}/${part}`), 404);
  }
});

test("the file of a song in the rotation is not deleted; taken out, all its mixes go, once, and its owner is told", async () => {
  const { song, owner } = await reported();
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song);
  await giveNewMix(song);
  const { page, act, decides } = await makeOperator();
  hides(await page(), "Delete the file");
  await answers(decides(song, "delete_file", "Not yours."), 409);
  expect(await ended()).toBe(0);

  await decides(song, "take_out");
  const taken = await page();
  shows(taken, "Delete the file");
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
  shows(after, "deleted the file of");
  hides(after, /Delete the file|\/audio|class="cover"/);

  await deliverAll();
  const mail = (await mailsTo(ownEmail)).find(({ subject }) => /deleted your file/.test(subject));
  shows(mail?.text, reason);
  shows(await owner.reads("/account"), /The file was deleted on/);
});

test("a song whose file is deleted is put back, but not into the rotation", async () => {
  const { song, owner } = await reported();
  const { decides } = await makeOperator();
  for (const deed of ["take_out", "delete_file", "put_back"] as const) await decides(song, deed);
  const resting = { takenOut: null, restingSince: expect.any(Number), withdrawn: true };
  await stored("songs", resting);
  await answers(
    owner.posts(`/songs/${song.id}/resume`),
    409,
    "file of this song is deleted. Upload it again",
  );
});

test("operators delete no file of their own", async () => {
  const { user, act, page } = await makeOperator();
  const song = await makeSongWithFile(user);
  await report(song);
  await change("songs", {}, { restingSince: 1, withdrawn: true });
  hides(await page(), `/songs/${song.id}/audio`);
  const form = { do: "delete_file", song: song.id, seenAt: String(Date.now()), decidedAt: "" };
  await answers(act({ ...form, reason: "Mine." }), 403);
  expect(await ended()).toBe(0);
});
