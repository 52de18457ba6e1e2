/** What listeners say of songs that sound generated, and what the operator makes of it (rule 48, made). */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { change, rows } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { makeOperator, report } from "../../support/operator";
import { type AnySong, someone, song } from "../../support/people";
import { makeSongWithFile } from "../../support/recordings/own-song";
import { emptyBucket } from "../../support/recordings/uploads";

beforeEach(emptyBucket);

const none = "Nothing waits for a decision.";
const three = "It sounds generated to 3 listeners. Its owner says: Made by people";

/** So many listeners pass on it for that reason, now. */
async function suspect(it: AnySong, listeners = 3): Promise<void> {
  for (let n = 0; n < listeners; n += 1) {
    const who = await someone({ offered: [it] });
    const pass = { reason: "generated" };
    expect((await who.sends(`/songs/${it.id}/pass`, pass)).status).toBe(200);
  }
}

test("from three listeners on, a song is shown once, with their number and its owner's word; nothing else happens", async () => {
  const it = await song();
  const { page } = await makeOperator();
  const before = await it.now();
  await suspect(it, 2);
  shows(await page(), none);
  expect(await it.now()).toEqual(before);
  await suspect(it, 1);
  shows(await page(), three, "1 decision to make");
  await suspect(it, 1);
  const text = await page();
  shows(text, "It sounds generated to 4 listeners");
  expect(text.split(`id="song-${it.id}"`)).toHaveLength(2);
  expect(await it.now()).toEqual({ ...before, soundsGeneratedSince: expect.any(Number) });
  expect([await rows("outbox"), await rows("reports")]).toEqual([[], []]);
  hides(await it.owner.reads(`/ratings-of-my-songs/${it.id}`), /generated/i);
});

test("a decision ends what was said so far, once, and others may say it again", async () => {
  const it = await song();
  const { page, decides } = await makeOperator();
  await suspect(it);
  await answers(decides(it, "dismiss"), 303);
  shows(await page(), none);
  expect(await it.now()).toMatchObject({ soundsGeneratedSince: null, takenOut: null });
  expect(await rows("outbox")).toEqual([]);
  const late = { do: "dismiss", song: it.id, seenAt: `${Date.now()}`, reason: "Again." };
  const { act } = await makeOperator();
  const { decidedAt } = await it.now();
  await answers(act({ ...late, decidedAt: `${decidedAt}` }), 409, "nothing left to decide");
  await suspect(it, 2);
  shows(await page(), none);
  await suspect(it, 1);
  shows(await page(), three);
});

test("a song that is taken out, or that its owner calls generated, is not shown for it", async () => {
  const [out, said] = [await song(), await song({ made: "generated" })];
  await change("songs", { id: out.id }, { takenOut: "Noise.", restingSince: 1, decidedAt: 1 });
  const { page } = await makeOperator();
  for (const one of [out, said]) await suspect(one);
  const text = await page();
  shows(text, none);
  hides(text, /It sounds generated/);
});

test("such songs stand among the others in the order of their time, and those that came first are shown", async () => {
  const made = [];
  for (let n = 0; n < 6; n += 1) made.push(await song());
  for (const [n, one] of made.entries()) {
    await change("songs", { id: one.id }, { soundsGeneratedSince: 1000 + 2 * n });
  }
  const reported = await song();
  await report(reported, { at: 1003 });
  const { page } = await makeOperator();
  const found = [...(await page()).matchAll(/ id="song-([^"]*)"/g)].map(([, id]) => id);
  const [first, second, ...rest] = made.slice(0, 5).map(({ id }) => id);
  expect(found).toEqual([first, second, reported.id, ...rest]);
});

test("an operator's own song tells them nothing", async () => {
  const { user, page } = await makeOperator();
  const it = await song({ owner: await someone({ user }) });
  await suspect(it);
  const text = await page();
  shows(text, "This is your own song.");
  hides(text, /It sounds generated/);
});

test("meanwhile the operator hears an own recording and sees its cover, and nobody else does", async () => {
  const it = await makeSongWithFile(await someone());
  const recording = it.recording.id;
  await change("recordings", { id: recording }, { coverType: "png", coverBytes: 9 });
  await env.RECORDINGS.put(`${recording}/cover`, new Uint8Array(9));
  const { ask, decides } = await makeOperator();
  const paths = ["audio", "cover"].map((part) => `/songs/${it.id}/${part}`);
  for (const path of paths) await answers(ask(path), 404);
  await suspect(it);
  for (const path of paths) await answers(ask(path), 200);
  const stranger = await someone();
  for (const path of paths) await answers(stranger.gets(path), 404);
  await decides(it, "dismiss");
  for (const path of paths) await answers(ask(path), 404);
});
