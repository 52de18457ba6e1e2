/** A draft: who finds it, what its owner changes of it, and when it can be submitted. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { rowsOf } from "../../support/database/contents";
import { makeSong, makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { makeWav } from "../../support/recordings/sound-files";
import {
  emptyBucket,
  hearDraft,
  makeUploader,
  smallPng,
  uploaded,
} from "../../support/recordings/uploads";
import { request } from "../../support/request";

beforeEach(emptyBucket);

const living = "SELECT id, state FROM recordings WHERE file_ended_at IS NULL";

test("nobody else finds a draft, hears it or deletes it", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie, { cover: smallPng });
  const other = await makeMember();
  for (const who of [other.cookie, undefined]) {
    for (const path of ["/audio", "/cover"]) {
      const asked = who ? { cookie: who } : {};
      const response = await request(`/recordings/${id}${path}`, asked);
      const nowhere = await request(`/recordings/none${path}`, asked);
      expect([response.status, await response.text()]).toEqual([404, await nowhere.text()]);
    }
  }
  expect((await request(`/recordings/${id}`, { cookie: other.cookie })).status).toBe(404);
  const form = {};
  const deletion = await request(`/recordings/${id}/delete`, { cookie: other.cookie, form });
  expect(deletion.status).toBe(404);
  expect(await rowsOf(living)).toEqual([{ id, state: "draft" }]);
});

test("who may not submit any more still finds their drafts", async () => {
  const { user, cookie } = await makeUploader();
  const id = await uploaded(cookie, { title: "Second light" });
  await env.DB.prepare(
    "UPDATE users SET credits = 0, rated_count = 0, rated_withdrawn = 0 WHERE id = ?",
  )
    .bind(user.id)
    .run();
  for (let n = 0; n < 9; n += 1) await makeSong(await makeUser());
  const screen = await (await request("/?menu=addownsong", { cookie })).text();
  expect(screen).toContain("Please rate 6 more songs");
  expect(screen).toContain(`href="/recordings/${id}"`);
});

test("a draft's title and artist can be changed, with the checks of an upload", async () => {
  const { user, cookie } = await makeUploader();
  const id = await uploaded(cookie, { title: "Frist light" });
  const names = "SELECT title, artist FROM recordings";
  const rename = (title: string, artist = "") =>
    request(`/recordings/${id}/name`, { cookie, form: { title, artist } });
  for (const [title, says] of [
    ["\u200b ", /give your song a title/],
    ["x".repeat(201), /too long/],
  ] as const) {
    const refused = await rename(title);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(says)]);
  }
  expect((await rename("First light", "x".repeat(201))).status).toBe(422);
  expect(await rowsOf(names)).toMatchObject([{ title: "Frist light" }]);
  const both = await Promise.all([1, 2].map(() => rename(" First\nlight ", "Ada\u202e")));
  expect(both.map(({ headers }) => headers.get("Location"))).toEqual(
    Array(2).fill(`/recordings/${id}`),
  );
  expect(await rowsOf(names)).toEqual([{ title: "First light", artist: "Ada" }]);
  await rename("First light");
  expect(await rowsOf(names)).toEqual([{ title: "First light", artist: user.displayName }]);
});

test("a title is composed, and as long as what one sees of it", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie, { title: "🎵".repeat(101) });
  const titles = () => rowsOf("SELECT title FROM recordings");
  expect(await titles()).toEqual([{ title: "🎵".repeat(101) }]);
  const rename = (title: string) =>
    request(`/recordings/${id}/name`, { cookie, form: { title, artist: "" } });
  expect((await rename("🎵".repeat(201))).status).toBe(422);
  expect((await rename(`a${"\u200d\u0301".repeat(500)}`)).status).toBe(303);
  expect((await rename("Cafe\u0301 🇦🇹")).status).toBe(303);
  expect(await titles()).toEqual([{ title: "Caf\u00e9 🇦🇹" }]);
});

test("only its owner changes a title, and only of a draft", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie);
  const other = await makeUploader();
  const form = { title: "Mine", artist: "" };
  const rename = (as: string | undefined, path = `/recordings/${id}/name`) =>
    request(path, { form, ...(as ? { cookie: as } : {}) });
  const stranger = await rename(other.cookie);
  expect([stranger.status, await stranger.text()]).toEqual([
    404,
    await (await rename(other.cookie, "/recordings/none/name")).text(),
  ]);
  expect((await rename(undefined)).headers.get("Location")).toBe("/?ended");
  await hearDraft(cookie, id);
  await request("/submissions", { cookie, form: { recording: id } });
  const submitted = await rename(cookie);
  expect([submitted.status, await submitted.text()]).toEqual([
    404,
    expect.stringMatching(/Perhaps you have submitted it/),
  ]);
  const deleted = await uploaded(other.cookie);
  await request(`/recordings/${deleted}/delete`, { cookie: other.cookie, form: {} });
  expect((await rename(other.cookie, `/recordings/${deleted}/name`)).status).toBe(404);
  expect(await rowsOf("SELECT DISTINCT title FROM recordings")).toEqual([{ title: "First light" }]);
  const page = await (await request(`/recordings/${id}`, { cookie })).text();
  expect(page).not.toContain(`/recordings/${id}/name`);
});

const hearings = "SELECT state, hearing FROM recordings";

test("a draft is submitted by who has heard some seconds of it", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie, { file: makeWav(20) });
  const submit = () => request("/submissions", { cookie, form: { recording: id } });
  const page = async () => (await request(`/recordings/${id}`, { cookie })).text();
  const refused = await submit();
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining("Please hear it first"),
  ]);
  expect(await page()).toContain("<p>Please hear it first");
  // What browsers read of it to know what it is.
  const second = Math.floor(makeWav(20).length / 20);
  for (const range of ["bytes=0-1", `bytes=0-${2 * second}`, `bytes=-${2 * second}`]) {
    const part = await request(`/recordings/${id}/audio`, { cookie, headers: { Range: range } });
    await part.arrayBuffer();
    await request(`/recordings/${id}/audio`, { cookie, method: "HEAD" });
  }
  expect(await rowsOf(hearings)).toEqual([{ state: "draft", hearing: null }]);
  const other = await makeUploader();
  await hearDraft(other.cookie, id);
  expect(await rowsOf(hearings)).toEqual([{ state: "draft", hearing: null }]);
  const headers = { Range: `bytes=0-${Math.ceil(3.1 * second)}` };
  await (await request(`/recordings/${id}/audio`, { cookie, headers })).arrayBuffer();
  expect(await rowsOf(hearings)).toEqual([{ state: "draft", hearing: "heard" }]);
  expect(await page()).not.toContain("<p>Please hear it first");
  expect((await submit()).status).toBe(303);
  expect(await rowsOf(hearings)).toEqual([{ state: "submitted", hearing: "heard" }]);
});

test("a draft that its owner's browser cannot play is not submitted until one plays it", async () => {
  const { cookie } = await makeUploader();
  const id = await uploaded(cookie);
  await hearDraft(cookie, id);
  const tell = (as: string) =>
    request(`/recordings/${id}/silent`, { cookie: as, form: {} }).then(({ status }) => status);
  expect(await tell((await makeUploader()).cookie)).toBe(404);
  expect(await rowsOf(hearings)).toEqual([{ state: "draft", hearing: "heard" }]);
  expect(await tell(cookie)).toBe(303);
  const refused = await request("/submissions", { cookie, form: { recording: id } });
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining("could not play this file"),
  ]);
  const page = await (await request(`/recordings/${id}`, { cookie })).text();
  expect(page).toContain("could not play this file");
  expect(page).not.toContain("Submit this song!");
  await hearDraft(cookie, id);
  expect((await request("/submissions", { cookie, form: { recording: id } })).status).toBe(303);
  expect(await tell(cookie)).toBe(404);
});

test("the database itself has nothing submitted that was not heard", async () => {
  const { cookie } = await makeUploader();
  await uploaded(cookie);
  const submit = env.DB.prepare("UPDATE recordings SET state = 'submitted'");
  await expect(submit.run()).rejects.toThrow(/recordings_heard/);
});

test("a draft is submitted once, however often the form is sent, and heard by its owner after that", async () => {
  const { user, cookie } = await makeUploader();
  const id = await uploaded(cookie);
  const page = await (await request(`/recordings/${id}`, { cookie })).text();
  const [, key = ""] = /name="key" value="([^"]+)"/.exec(page) ?? [];
  const form = { recording: id, key };
  await hearDraft(cookie, id);
  const presses = [1, 2].map(() => request("/submissions", { cookie, form }));
  for (const { status } of await Promise.all(presses)) expect(status).toBe(303);
  expect(
    await rowsOf(
      `SELECT songs.owner_id, songs.title, entitled, state FROM songs
         JOIN recordings ON recordings.id = songs.own_recording_id`,
    ),
  ).toEqual([{ owner_id: user.id, title: "First light", entitled: 5, state: "submitted" }]);
  expect((await request(`/recordings/${id}/audio`, { cookie })).status).toBe(200);
  const deletion = await request(`/recordings/${id}/delete`, { cookie, form: {} });
  expect(deletion.status).toBe(404);
  const other = await makeUploader();
  const stolen = await request("/submissions", { cookie: other.cookie, form: { recording: id } });
  expect([stolen.status, await stolen.text()]).toEqual([404, expect.stringMatching(/not here/)]);
  expect((await request("/submissions", { cookie, form: {} })).status).toBe(422);
});
