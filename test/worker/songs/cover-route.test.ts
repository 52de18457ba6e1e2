import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { coverPath } from "~/covers/drawn-cover";
import { randomToken } from "~/platform/crypto.server";
import { countingDatabase } from "../../support/database/counting-database";
import {
  insert,
  makeOwnSong,
  makePackage,
  makeRating,
  makeUser,
  type OwnTestSong,
} from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);

async function made({ cover }: { cover: boolean }) {
  const owner = await makeUser({ tier: "premium" });
  const [hash, drawnFrom] = [randomToken(), randomToken()];
  const song = await makeOwnSong(owner, { hash, drawnFrom, title: "Early light" });
  const { id } = song.recording;
  if (cover) {
    await env.RECORDINGS.put(`${id}/cover`, picture);
    const bytes = picture.length;
    await env.DB.prepare("UPDATE recordings SET cover_type = 'png', cover_bytes = ? WHERE id = ?")
      .bind(bytes, id)
      .run();
  }
  const { user: listener, cookie } = await makeMember();
  await makePackage(listener, [song]);
  const cookies = { owner: (await makeSession(owner)).cookie, listener: cookie };
  const own = `/ratings-of-my-songs/${song.id}`;
  return { song, hash, drawnFrom, listener, cookies, own };
}

async function makeHearer(song: OwnTestSong): Promise<string> {
  const { user, cookie } = await makeMember();
  await makePackage(user, [song]);
  return cookie;
}

async function textOf(path: string, cookie = ""): Promise<string> {
  return (await request(path, { cookie })).text();
}

/** Shares the song's result. @returns its path. */
async function share({ id }: OwnTestSong, cookie: string): Promise<string> {
  const answer = await request(`/songs/${id}/share`, { cookie, json: {} });
  return new URL((await answer.json<{ address: string }>()).address).pathname;
}

const coverOfSong = ({ id }: OwnTestSong) => `/songs/${id}/cover`;

test("its owner and who has the song to rate get the cover that came with it, as a picture", async () => {
  const { song, cookies } = await made({ cover: true });
  for (const cookie of Object.values(cookies)) {
    const counting = countingDatabase(env.DB);
    const bindings = { ...env, DB: counting.binding };
    const answer = await request(coverOfSong(song), { cookie, bindings });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "private, max-age=86400",
      "x-content-type-options": "nosniff",
      "content-disposition": "inline",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(picture);
    expect(counting.roundTrips()).toBe(2);
  }
});

test("so does who has rated it, and the operator once it was reported; for everybody else it leads nowhere", async () => {
  const { song } = await made({ cover: true });
  const statusFor = async (cookie = "") => (await request(coverOfSong(song), { cookie })).status;
  const { user: rater, cookie } = await makeMember();
  expect(await statusFor(cookie)).toBe(404);
  await makeRating(rater, song);
  expect(await statusFor(cookie)).toBe(200);
  const operator = await makeOperator();
  expect((await operator.ask(coverOfSong(song))).status).toBe(404);
  await insert("reports", { id: "report", song_id: song.id, words: "", created_at: 1 }).run();
  expect((await operator.ask(coverOfSong(song))).status).toBe(200);
  expect(await statusFor((await makeMember()).cookie)).toBe(404);
  expect(await statusFor()).not.toBe(200);
});

test("once the files have ended there is none, and the drawn one shows", async () => {
  const { song, drawnFrom, cookies, own } = await made({ cover: true });
  const cover = `${coverOfSong(song)}?of=${song.recording.id}`;
  expect(await textOf(own, cookies.owner)).toContain(`src="${cover}"`);
  await env.DB.prepare("UPDATE recordings SET file_ended_at = 5 WHERE id = ?")
    .bind(song.recording.id)
    .run();
  expect((await request(coverOfSong(song), { cookie: cookies.owner })).status).toBe(404);
  expect(await textOf(own, cookies.owner)).toContain(`src="${coverPath(drawnFrom)}"`);
});

test("wherever a song without a cover is shown, it has the drawn one", async () => {
  const { song, drawnFrom, listener, cookies, own } = await made({ cover: false });
  const drawn = `src="${coverPath(drawnFrom)}"`;
  await makeRating(listener, song, { score: 3 });
  const hearer = await makeHearer(song);
  const submission = await env.DB.prepare("SELECT id FROM submissions WHERE song_id = ?")
    .bind(song.id)
    .first<string>("id");
  const pages: [string, string][] = [
    ["/", hearer],
    [`/songs/${song.id}/pass/reason`, hearer],
    ["/rated", cookies.listener],
    ["/ratings-of-my-songs", cookies.owner],
    [own, cookies.owner],
    [`/?menu=songaddedtopool&submission=${submission}`, cookies.owner],
  ];
  for (const [path, cookie] of pages) expect(await textOf(path, cookie), path).toContain(drawn);
  expect((await request(coverPath(drawnFrom))).status).toBe(200);
  expect((await request(coverOfSong(song), { cookie: cookies.owner })).status).toBe(404);
});

test("a shared result shows its cover without naming the song, and previews have the product's picture", async () => {
  for (const cover of [true, false]) {
    const { song, drawnFrom, cookies } = await made({ cover });
    for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song, { score: 3 });
    const path = await share(song, cookies.owner);
    const page = await textOf(path);
    const shown = cover ? `${path}/cover` : coverPath(drawnFrom);
    expect(page).toContain(`src="${shown}"`);
    expect(page).not.toContain(song.id);
    expect(page).toMatch(/property="og:image" content="[^"]*\/picture\?of=/);
    const file = await request(shown);
    expect(file.headers.get("Content-Type")).toBe(cover ? "image/png" : "image/svg+xml");
    if (!cover) continue;
    // Once it is taken back, no browser has it.
    expect(file.headers.get("Cache-Control")).toBe("private, no-store");
    await request(`/songs/${song.id}/unshare`, { cookie: cookies.owner, json: {} });
    expect((await request(shown)).status).toBe(404);
  }
});

test("the hash of a file is in its owner's export alone: whoever has the file would know that it is here", async () => {
  const { song, hash, drawnFrom, listener, cookies, own } = await made({ cover: false });
  const tells = async (address: string, cookie?: string) => {
    const told = await textOf(address, cookie);
    expect(told, address).toContain(drawnFrom);
    expect(told, address).not.toContain(hash);
  };
  const hearer = await makeHearer(song);
  for (const path of ["/", "/?_data=routes%2F_index"]) await tells(path, hearer);
  await makeRating(listener, song, { score: 3 });
  for (let n = 0; n < 4; n += 1) await makeRating(await makeUser(), song, { score: 3 });
  const asked: [string, string | undefined, string][] = [
    ["/rated", cookies.listener, "routes/rated"],
    ["/ratings-of-my-songs", cookies.owner, "routes/ratings-of-my-songs"],
    [own, cookies.owner, "routes/ratings-of-my-songs_.-songId"],
    [`/recordings/${song.recording.id}`, cookies.owner, "routes/recordings_.-recordingId"],
    [await share(song, cookies.owner), undefined, "routes/r.-token"],
  ];
  for (const [path, cookie, route] of asked) {
    await tells(path, cookie);
    await tells(`${path}?_data=${encodeURIComponent(route)}`, cookie);
  }
  expect(await textOf(`${own}.csv`, cookies.owner)).not.toContain(hash);
  const exported = await request("/account/export", { cookie: cookies.owner, form: {} });
  expect(await exported.text()).toContain(hash);
});
