/** A new mix of an own recording: its upload, the question, and the two fives beside each other. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import {
  giveRatings,
  makeOwnSong,
  makeRating,
  makeSong,
  makeUser,
} from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { makeWav } from "../../support/recordings/sound-files";
import {
  emptyBucket,
  hearDraft,
  makeUploader,
  uploaded,
  uploadForm,
} from "../../support/recordings/uploads";
import { request } from "../../support/request";

afterEach(emptyBucket);

async function read(path: string, cookie: string): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  return page
    .replaceAll(/<script.*?<\/script>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

/** An uploaded song of a premium member, with so many ratings. */
async function atSong(scores: (1 | 2 | 3 | 4)[]) {
  const owner = await makeUploader({ tier: "premium" });
  const { cookie } = owner;
  const recording = await uploaded(cookie, { title: "Night Bus", artist: "Ada" });
  await hearDraft(cookie, recording);
  await request("/submissions", { cookie, form: { recording } });
  const [{ id }] = (await rowsOf("SELECT id FROM songs")) as [{ id: string }];
  const song = { id, ownerId: owner.user.id, recording: { id: recording, hash: "" } };
  await rate(song, scores);
  await giveRatings(owner.user, 12);
  return { ...owner, song };
}

async function rate(song: Parameters<typeof makeRating>[1], scores: (1 | 2 | 3 | 4)[]) {
  for (const score of scores) await makeRating(await makeUser(), song, { score, at: Date.now() });
}

/** Uploads a file as a new mix of a song, and hears it. @returns where that leads. */
async function uploadMix(cookie: string, songId: string, seconds = 7) {
  const form = uploadForm({ title: "Night Bus (louder)", artist: "Ada", file: makeWav(seconds) });
  form.set("song", songId);
  const answer = await request("/recordings", { cookie, body: form });
  const [, id = null] = /^\/recordings\/([^?]+)/.exec(answer.headers.get("Location") ?? "") ?? [];
  if (id) await hearDraft(cookie, id);
  return {
    status: answer.status,
    to: answer.headers.get("Location") ?? "",
    text: await answer.text(),
  };
}

test("the song's page leads to the upload, that to the question, and the two fives stand one under the other", async () => {
  const { cookie, song } = await atSong([1, 1, 1, 1, 2]);
  const path = `/ratings-of-my-songs/${song.id}`;
  expect(await (await request(path, { cookie })).text()).toContain(
    `href="/?menu=addownsong&amp;mix=${song.id}"`,
  );
  const screen = await (await request(`/?menu=addownsong&mix=${song.id}`, { cookie })).text();
  expect(screen).toContain("A new mix of “<bdi>Night Bus</bdi>”");
  expect(screen).toContain(`<input type="hidden" name="song" value="${song.id}"/>`);
  expect(screen).toContain('value="Night Bus"');
  const { to } = await uploadMix(cookie, song.id);
  const question = await read(to, cookie);
  expect(question).toContain("A new mix of Night Bus");
  expect(question).toContain(
    "This is a new mix of “Night Bus”: it gets 5 more ratings from people who have not rated it before, kept apart from the first 5, so that you can compare the two.",
  );
  expect(question).toContain("It costs nothing today.");
  const page = await (await request(to, { cookie })).text();
  const [, recording = ""] = /name="recording" value="([^"]+)"/.exec(page) ?? [];
  expect(page).toContain(`<input type="hidden" name="song" value="${song.id}"/>`);
  const form = { recording, song: song.id };
  expect((await request("/submissions", { cookie, form })).status).toBe(303);
  expect(await rowsOf("SELECT title, entitled, owed FROM songs")).toEqual([
    { title: "Night Bus (louder)", entitled: 10, owed: 5 },
  ]);
  const waiting = await read(path, cookie);
  expect(waiting).toMatch(/First mix, .* Second mix, /);
  expect(waiting).not.toContain("Submit a new mix");
  await rate(song, [4, 4, 4, 4, 3]);
  expect(await read(path, cookie)).toContain("It is liked more than the mix before.");
});

test("without a clear change it says so", async () => {
  const { cookie, song } = await atSong([1, 1, 3, 3, 2]);
  const { to } = await uploadMix(cookie, song.id);
  const recording = to.replace("/recordings/", "");
  await request("/submissions", { cookie, form: { recording, song: song.id } });
  await rate(song, [1, 3, 3, 3, 2]);
  expect(await read(`/ratings-of-my-songs/${song.id}`, cookie)).toContain(
    "Compared with the mix before: no clear change.",
  );
});

test("while ratings are missing, upload and question say so, and nothing is submitted", async () => {
  const { cookie, song } = await atSong([3, 3]);
  const waits = "A new mix can follow once this one has all its ratings";
  const screen = await (await request(`/?menu=addownsong&mix=${song.id}`, { cookie })).text();
  expect(screen).toContain(waits);
  expect(screen).not.toContain('type="file"');
  const { to } = await uploadMix(cookie, song.id);
  const page = await read(to, cookie);
  expect(page).toContain(waits);
  expect(page).not.toContain("Submit this mix!");
  const form = { recording: to.replace("/recordings/", ""), song: song.id };
  expect((await request("/submissions", { cookie, form })).status).toBe(409);
  expect(await rowsOf("SELECT count(*) AS n FROM submissions")).toEqual([{ n: 1 }]);
});

test("the file of another song of theirs is no mix, and the question says so", async () => {
  const { cookie, user, song } = await atSong([3, 3, 3, 3, 3]);
  const other = await uploaded(cookie, { title: "Other", file: makeWav(9) });
  await hearDraft(cookie, other);
  await request("/submissions", { cookie, form: { recording: other } });
  await giveRatings(user, 12);
  const { to } = await uploadMix(cookie, song.id, 9);
  expect(await read(to, cookie)).toContain("This file belongs to another song of yours.");
});

test.each([
  ["somebody else's song", async () => (await makeOwnSong(await makeUser())).id],
  ["a track", async (owner: { id: string; displayName: string }) => (await makeSong(owner)).id],
  ["no song", async () => "nowhere"],
] as const)("a mix of %s is refused, and no file stays", async (_which, songOf) => {
  const { cookie, user } = await makeUploader();
  const songId = await songOf(user);
  expect(await uploadMix(cookie, songId)).toMatchObject({
    status: 404,
    text: expect.stringContaining("not one of your own recordings"),
  });
  expect((await env.RECORDINGS.list()).objects).toEqual([]);
  const screen = await (await request(`/?menu=addownsong&mix=${songId}`, { cookie })).text();
  expect(screen).not.toContain("A new mix of");
});

test("the same bytes once more are the same song, which the question says, and its file is kept once", async () => {
  const { cookie, song } = await atSong([3, 3, 3, 3, 3]);
  const said = "You have uploaded this file before: it is your song “Night Bus”";
  expect(await read(`/recordings/${song.recording.id}`, cookie)).not.toContain(said);
  const again = await uploaded(cookie, { title: "Night Bus (final)", artist: "Ada" });
  expect(await read(`/recordings/${again}`, cookie)).toContain(said);
  const form = { recording: again, key: crypto.randomUUID() };
  await hearDraft(cookie, again);
  const presses = [1, 2].map(() => request("/submissions", { cookie, form }));
  for (const { status } of await Promise.all(presses)) expect(status).toBe(303);
  expect(await rowsOf("SELECT id, title, entitled, own_recording_id AS file FROM songs")).toEqual([
    { id: song.id, title: "Night Bus (final)", entitled: 10, file: again },
  ]);
  const kept = "SELECT id FROM recordings WHERE file_ended_at IS NULL";
  expect(await rowsOf(kept)).toEqual([{ id: again }]);
  expect(await rowsOf("SELECT key FROM file_deletions ORDER BY key")).toEqual([
    { key: `${song.recording.id}/audio` },
    { key: `${song.recording.id}/cover` },
  ]);
  const account = await (await request("/account", { cookie })).text();
  const [list = ""] = /<section id="recordings">.*?<\/section>/s.exec(account) ?? [];
  expect(list.match(/<li>/g)?.length).toBe(1);
  expect(list).toContain("In the rotation.");
  const page = await read(`/ratings-of-my-songs/${song.id}`, cookie);
  expect(page.match(/First mix, /g)?.length).toBe(2);
});

test("the same file of another owner stays, as a song and as a draft, whoever uploads or submits it", async () => {
  const other = await makeUploader();
  const theirs = await uploaded(other.cookie);
  expect((await submitted(other.cookie, theirs)).status).toBe(303);
  const third = await makeUploader();
  const waiting = await uploaded(third.cookie);
  const { cookie } = await makeUploader();
  const own = await uploaded(cookie);
  expect((await submitted(cookie, own)).status).toBe(303);
  expect(
    await rowsOf(
      "SELECT id, state FROM recordings WHERE file_ended_at IS NULL ORDER BY created_at",
    ),
  ).toEqual([
    { id: theirs, state: "submitted" },
    { id: waiting, state: "draft" },
    { id: own, state: "submitted" },
  ]);
  expect(await rowsOf("SELECT key FROM file_deletions")).toEqual([]);
});

async function submitted(cookie: string, recording: string): Promise<Response> {
  await hearDraft(cookie, recording);
  return request("/submissions", { cookie, form: { recording, key: crypto.randomUUID() } });
}

test("a draft keeps what it is a mix of, for its owner alone", async () => {
  const { cookie, song } = await atSong([3, 3, 3, 3, 3]);
  const { to } = await uploadMix(cookie, song.id);
  expect(await read(to, cookie)).toContain("A new mix of Night Bus");
  const stranger = await makeMember();
  expect((await request(to, { cookie: stranger.cookie })).status).toBe(404);
});
