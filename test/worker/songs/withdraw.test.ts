/** An owner takes a song out of the rotation, and brings it back (rule 12). */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmListen, startListen } from "~/exchange/listening/listening.server";
import { parsePool, selectPool } from "~/exchange/pool/pool.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { returnSong, withdrawSong } from "~/exchange/rotation/withdraw-and-return.server";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import type { Spotify } from "~/sources/spotify/client/web-api.server";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  insert,
  makeListen,
  makePackage,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { makeMember, makeSession, makeViewer } from "../../support/login";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { catalogue, playing, stubSpotify } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
/** When a listen that began at `baseTime` unlocks. */
const unlock = baseTime + 56_000;

function servicesOf(spotify: Spotify = stubSpotify(), at = unlock) {
  return servicesAt(at, { spotify });
}

async function withdraw(song: TestSong, by: TestUser) {
  return withdrawSong(servicesOf(), await makeViewer(by), song.id);
}

async function resume(song: TestSong, by: TestUser, spotify?: Spotify) {
  return returnSong(servicesOf(spotify), await makeViewer(by), song.id);
}

function stateOf({ id }: TestSong) {
  const query = "SELECT resting_since, withdrawn, owed, received FROM songs WHERE id = ?";
  return rowsOf(query, id).then(([row]) => row);
}

async function poolOf(viewer: TestUser): Promise<string[]> {
  return parsePool(await selectPool(db, viewer.id, { hears: true })).songs.map(
    ({ songId }) => songId,
  );
}

async function carouselOf(user: TestUser): Promise<string> {
  return (await request("/", { cookie: (await makeSession(user)).cookie })).text();
}

const down = stubSpotify({ track: () => Promise.reject(new SpotifyError(503, "")) });

test("a withdrawn song leaves the rotation and all packages, and stays owed its ratings", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner, { received: 2 });
  const viewer = await makeUser();
  await makePackage(viewer, [song]);
  expect(await carouselOf(viewer)).toContain(song.title);
  expect(await withdraw(song, owner)).toEqual({ ok: true });
  expect(await stateOf(song)).toEqual({
    resting_since: unlock,
    withdrawn: 1,
    owed: 3,
    received: 2,
  });
  expect(await poolOf(await makeUser())).toEqual([]);
  expect(await carouselOf(viewer)).not.toContain(song.title);
  const listen = { songId: song.id, startPlayback: null };
  expect(await startListen(servicesOf(), await makeViewer(viewer), listen)).toMatchObject({
    status: 409,
    error: expect.stringContaining("has taken it out of the rotation"),
  });
  expect(await rowsOf("SELECT id FROM outbox")).toEqual([]);
});

test("who is listening to it may finish and rate, and that counts", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const listener = await makeUser();
  await makePackage(listener, [song]);
  await makeListen(listener, song);
  await withdraw(song, owner);
  const viewer = await makeViewer(listener);
  const services = servicesOf(playing(song));
  expect(await confirmListen(services, viewer, song.id)).toEqual({ ok: true });
  expect(await carouselOf(listener)).toContain(song.title);
  expect(await rateSong(services, viewer, { songId: song.id, score: 4 })).toEqual({ ok: true });
  expect(await stateOf(song)).toMatchObject({ withdrawn: 1, owed: 4, received: 1 });
  expect(await rowsOf("SELECT credits FROM users WHERE id = ?", listener.id)).toEqual([
    { credits: 1 },
  ]);
});

test("with its last rating a withdrawn song is complete, and no longer withdrawn", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner, { received: 4 });
  const listener = await makeUser();
  await makeListen(listener, song, { finishedAt: unlock });
  await withdraw(song, owner);
  const viewer = await makeViewer(listener);
  const services = servicesOf(stubSpotify(), unlock + 60_000);
  await rateSong(services, viewer, { songId: song.id, score: 1 });
  expect(await stateOf(song)).toEqual({ resting_since: null, withdrawn: 0, owed: 0, received: 5 });
  expect(await withdraw(song, owner)).toEqual({ ok: true });
  expect(await stateOf(song)).toMatchObject({ resting_since: null, withdrawn: 0 });
});

test("it comes back behind all others, also while Spotify does not answer", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const others = [await makeSong(await makeUser()), await makeSong(await makeUser())];
  const later = "UPDATE songs SET line_since = line_since + 1 WHERE owner_id <> ?";
  await env.DB.prepare(later).bind(owner.id).run();
  await withdraw(song, owner);
  expect(await resume(song, owner, down)).toEqual({ ok: true });
  const lines = await rowsOf("SELECT id, line_since FROM songs ORDER BY line_since");
  expect(lines.map((row) => (row as { id: string }).id).sort()).toEqual(
    [song, ...others].map(({ id }) => id).sort(),
  );
  const [own] = await rowsOf("SELECT line_since FROM songs WHERE id = ?", song.id);
  expect(own).toEqual({ line_since: baseTime + 1 });
  expect(await stateOf(song)).toMatchObject({ resting_since: null, withdrawn: 0, owed: 5 });
});

test("withdrawing makes room for another song, and then the withdrawn one has to wait", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  for (let n = 0; n < 9; n += 1) await makeSong(owner);
  await withdraw(song, owner);
  const another = await makeSong(owner);
  expect(await resume(song, owner)).toMatchObject({
    status: 409,
    error: expect.stringContaining("which is the most at a time"),
  });
  await withdraw(another, owner);
  expect(await resume(song, owner)).toEqual({ ok: true });
});

test("coming back answers no refusal, and a third refusal makes a withdrawn song rest", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  for (let n = 0; n < 2; n += 1) {
    const user_id = (await makeUser()).id;
    await insert("unplayable_reports", { song_id: song.id, user_id, created_at: baseTime }).run();
  }
  await withdraw(song, owner);
  await resume(song, owner, down);
  expect(await rowsOf("SELECT 1 FROM unplayable_reports WHERE answered_at IS NULL")).toHaveLength(
    2,
  );
  const listener = await makeUser();
  await makeListen(listener, song);
  await withdraw(song, owner);
  const { track } = catalogue({ ...song, playable: false });
  const refusing = stubSpotify({ track, playback: async () => null });
  await confirmListen(servicesOf(refusing), await makeViewer(listener), song.id);
  expect(await stateOf(song)).toMatchObject({ resting_since: unlock, withdrawn: 0 });
  expect(await rowsOf("SELECT kind, user_id FROM outbox")).toEqual([
    { kind: "resting", user_id: owner.id },
  ]);
  expect(await resume(song, owner, refusing)).toMatchObject({ status: 409 });
  expect(await resume(song, owner, catalogue(song))).toEqual({ ok: true });
});

test("pressing twice, or for a song that rests already, changes nothing more", async () => {
  const owner = await makeUser();
  const [song, resting] = [await makeSong(owner), await makeSong(owner)];
  await env.DB.prepare("UPDATE songs SET resting_since = 7 WHERE id = ?").bind(resting.id).run();
  await Promise.all([withdraw(song, owner), withdraw(song, owner)]);
  await withdraw(resting, owner);
  expect(await stateOf(song)).toMatchObject({ resting_since: unlock, withdrawn: 1 });
  expect(await stateOf(resting)).toMatchObject({ resting_since: 7, withdrawn: 0 });
});

test("only the owner can withdraw a song", async () => {
  const song = await makeSong(await makeUser());
  const { cookie } = await makeMember();
  for (const id of [song.id, "no-such-song"]) {
    const answer = await request(`/songs/${id}/withdraw`, { cookie, json: {} });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: "This is not one of your songs." },
    ]);
  }
  expect(await stateOf(song)).toMatchObject({ resting_since: null });
});

test("the song's page has a button for each way, which works without a script", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const { cookie } = await makeSession(owner);
  const path = `/ratings-of-my-songs/${song.id}`;
  const ways = [
    ["withdraw", "You have taken this song out of the rotation"],
    ["resume", "Take it out of the rotation"],
  ] as const;
  for (const [way, shown] of ways) {
    expect(await (await request(path, { cookie })).text()).toContain(`/songs/${song.id}/${way}"`);
    const answer = await request(`/songs/${song.id}/${way}`, { cookie, form: {} });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    expect(await (await request(path, { cookie })).text()).toContain(shown);
  }
  const list = await (await request("/ratings-of-my-songs", { cookie })).text();
  expect(list).not.toContain(">Withdrawn<");
  await request(`/songs/${song.id}/withdraw`, { cookie, json: {} });
  expect(await (await request("/ratings-of-my-songs", { cookie })).text()).toContain(">Withdrawn<");
});
