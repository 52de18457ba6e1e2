/**
 * Each owner has two songs in line at a time, so that nobody with many songs blocks the others, and
 * every song still gets its promised ratings.
 */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { selectPool, toPool } from "~/exchange/pool/pool.server";
import * as index from "~/routes/_index/route";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
  type TestUser,
} from "../../support/database/factories";
import { putInRotation, putOwnersSongs } from "../../support/database/rotation";
import { makeMember } from "../../support/login";
import { measure } from "../../support/measure";

const db = createDatabase(env.DB);

/** The songs that a viewer may be offered. */
async function offered(viewer: TestUser) {
  const account = { userId: viewer.id, spotifyId: "" };
  const rows = await selectPool(db, viewer.id, { hears: true });
  return (await toPool(rows, account, { now: baseTime })).eligible;
}

async function offeredIds(viewer: TestUser): Promise<string[]> {
  return (await offered(viewer)).map(({ songId }) => songId);
}

/** Songs of one owner, submitted one after the other. */
async function makeSongs(owner: TestUser, count: number): Promise<TestSong[]> {
  const songs: TestSong[] = [];
  for (let n = 0; n < count; n += 1) {
    songs.push(await makeSong(owner, { submittedAt: [baseTime + n] }));
  }
  return songs;
}

async function rateThrough(song: TestSong): Promise<void> {
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song);
}

function lineSince(song: TestSong | undefined) {
  return rowsOf("SELECT line_since FROM songs WHERE id = ?", song?.id ?? "");
}

test.each([170, 5000])(
  "%i songs of one owner before all others do not keep a newcomer from everybody else's",
  async (count) => {
    await putOwnersSongs(await makeUser(), count);
    await putInRotation(1, 60);
    const songs = await offered(await makeUser());
    expect(songs).toHaveLength(62);
    expect(new Set(songs.map(({ ownerId }) => ownerId)).size).toBe(61);
  },
);

test("a carousel reads as many rows with 5,000 songs of one owner before all others as with 170", async () => {
  const owner = await makeUser();
  const read: number[][] = [];
  for (const count of [170, 5000]) {
    await env.DB.prepare("DELETE FROM songs").run();
    await putOwnersSongs(owner, count);
    await putInRotation(1, 60);
    const { cookie } = await makeMember({ musician: "indira-pallavan" });
    const rows: number[] = [];
    for (const path of ["/", "/", "/?menu=addownsong"]) {
      rows.push((await measure(index.loader, { path, cookie })).rowsRead());
    }
    read.push(rows);
  }
  const [few = [], many = []] = read;
  for (const [n, rows] of many.entries()) {
    // A new package has another id, so a few other index entries may be read next to it.
    expect(Math.abs(rows - (few[n] ?? 0))).toBeLessThanOrEqual(5);
    expect(rows).toBeLessThan(1000);
  }
});

test("whoever has rated an owner's two songs in line is offered the owner's next ones", async () => {
  const songs = await makeSongs(await makeUser(), 4);
  const [viewer, other] = [await makeUser(), await makeUser()];
  const ids = songs.map(({ id }) => id);
  expect(await offeredIds(viewer)).toEqual(ids.slice(0, 2));
  for (const song of songs.slice(0, 2)) await makeRating(viewer, song);
  expect(await offeredIds(viewer)).toEqual(ids.slice(2));
  expect(await offeredIds(other)).toEqual(ids.slice(0, 2));
});

test("a song that has all its ratings makes room for the owner's next, behind everybody in line", async () => {
  const [first, second, third] = await makeSongs(await makeUser(), 3);
  const other = await makeSong(await makeUser(), { submittedAt: [baseTime + 1000] });
  expect(await lineSince(third)).toEqual([{ line_since: null }]);
  if (first) await rateThrough(first);
  expect(await lineSince(first)).toEqual([{ line_since: null }]);
  expect(await lineSince(third)).toEqual([{ line_since: baseTime + 1000 }]);
  const found = await offeredIds(await makeUser());
  expect(found[0]).toBe(second?.id);
  expect(found.slice(1).sort()).toEqual([other.id, third?.id].sort());
});

test("a song that is promised ratings a second time makes room for an older one of its owner", async () => {
  const owner = await makeUser();
  const twice = await makeSong(owner, { submittedAt: [baseTime, baseTime + 100] });
  const songs = await makeSongs(owner, 2);
  expect(await lineSince(songs[1])).toEqual([{ line_since: null }]);
  await rateThrough(twice);
  expect(await lineSince(twice)).toEqual([{ line_since: null }]);
  expect(await lineSince(songs[1])).toEqual([{ line_since: baseTime + 1 }]);
});

test("an owner of many songs gets all promised ratings, even with as few raters as possible", async () => {
  const [owner, ...raters] = await Promise.all(Array.from({ length: 6 }, () => makeUser()));
  if (!owner) throw new Error("no owner");
  const songs = new Map((await makeSongs(owner, 9)).map((song) => [song.id, song]));
  for (const rater of raters) {
    for (let next = await offered(rater); next.length > 0; next = await offered(rater)) {
      for (const { songId } of next) await makeRating(rater, songs.get(songId) as TestSong);
    }
  }
  expect(await rowsOf("SELECT count(*) AS owed FROM songs WHERE owed > 0")).toEqual([{ owed: 0 }]);
});
