import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { rateSong } from "~/exchange/rating/rate.server";
import { loadViewer, viewerView } from "~/members/viewer.server";
import { ratingsOfOwnSongs, seeNews } from "~/results/received.server";
import { readOwnSong } from "~/results/song-result.server";
import { rowsOf } from "../../support/database/contents";
import {
  baseTime,
  makeListen,
  makeRating,
  makeSong,
  makeUser,
  type TestSong,
} from "../../support/database/factories";
import { makeSession, makeViewer, type TestSession } from "../../support/login";
import { request } from "../../support/request";
import { servicesAt } from "../../support/services";
import { playing } from "../../support/spotify/stub";

const db = createDatabase(env.DB);
const minute = 60_000;
/** A rating of 12:10:40 is settled at 12:13. */
const ratedAt = baseTime + 10 * minute + 40_000;
const settled = baseTime + 13 * minute;

async function viewerAt({ id }: Pick<TestSession, "id">, now: number) {
  const viewer = await loadViewer(db, id, { now });
  if (!viewer) throw new Error("The session has ended.");
  return viewer;
}

async function newsAt(session: TestSession, now: number) {
  return viewerView(await viewerAt(session, now)).news;
}

async function openList({ id }: TestSession, now: number, isActivity = true) {
  const query = { after: null, song: null };
  return ratingsOfOwnSongs(db, id, query, { secret: "secret", now, isActivity });
}

async function openSong(session: TestSession, { id }: TestSong, now: number, isActivity = true) {
  return readOwnSong(db, await viewerAt(session, now), id, { now, isActivity });
}

test("a rating is news once it is settled, told to the minute, until its song's page is opened", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const other = await makeSong(owner);
  const session = await makeSession(owner);
  const rater = await makeUser();
  await makeListen(rater, song, { startedAt: ratedAt - 2 * minute });
  const services = servicesAt(ratedAt, { spotify: playing(song) });
  await rateSong(services, await makeViewer(rater), { songId: song.id, score: 4 });
  expect(await rowsOf("SELECT news_since FROM songs WHERE id = ?", song.id)).toEqual([
    { news_since: baseTime + 10 * minute },
  ]);
  expect(await newsAt(session, settled - 1)).toBeNull();
  const news = { songs: 1, only: { songId: song.id, title: song.title } };
  expect(await newsAt(session, settled)).toEqual(news);
  // A page that reads its own data again, and another song's page, are no look at it.
  await openSong(session, song, settled, false);
  await openList(session, settled, false);
  await openSong(session, other, settled);
  expect(await newsAt(session, settled)).toEqual(news);
  await openSong(session, song, settled);
  expect(await newsAt(session, settled)).toBeNull();
});

test("what is seen before it is settled is no news later, and what comes after is", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const session = await makeSession(owner);
  await makeRating(await makeUser(), song, { at: ratedAt });
  await openSong(session, song, ratedAt + 5000);
  expect(await newsAt(session, settled + minute)).toBeNull();
  await makeRating(await makeUser(), song, { at: ratedAt + 10_000 });
  expect((await newsAt(session, settled))?.songs).toBe(1);
  // Another that is not settled yet hides nothing.
  await makeRating(await makeUser(), song, { at: settled });
  expect((await newsAt(session, settled))?.songs).toBe(1);
});

test("the list is the look at all songs on it, but for what has come since it was read", async () => {
  const owner = await makeUser();
  const [first, second] = [await makeSong(owner), await makeSong(owner)];
  const session = await makeSession(owner);
  for (const song of [first, second]) await makeRating(await makeUser(), song, { at: ratedAt });
  expect(await newsAt(session, settled)).toEqual({ songs: 2, only: null });
  await env.DB.prepare(
    `CREATE TRIGGER rated_meanwhile AFTER UPDATE OF ratings_seen_at ON users
     BEGIN UPDATE songs SET received = received + 1 WHERE id = '${second.id}'; END`,
  ).run();
  try {
    await openList(session, settled);
  } finally {
    await env.DB.prepare("DROP TRIGGER rated_meanwhile").run();
    await env.DB.prepare("UPDATE songs SET received = 1 WHERE id = ?").bind(second.id).run();
  }
  expect((await newsAt(session, settled))?.only?.songId).toBe(second.id);
  await openList(session, settled);
  expect(await newsAt(session, settled)).toBeNull();
});

test("many songs with news cost as little as ten, and nobody sees another's", async () => {
  const owner = await makeUser();
  const session = await makeSession(owner);
  for (let n = 0; n < 12; n += 1) {
    await makeRating(await makeUser(), await makeSong(owner), { at: ratedAt });
  }
  expect(await newsAt(session, settled)).toEqual({ songs: 10, only: null });
  const stranger = await makeSession(await makeUser());
  expect(await newsAt(stranger, settled)).toBeNull();
  const [song] = (await openList(session, settled, false))?.panels ?? [];
  const viewer = await viewerAt(stranger, settled);
  await readOwnSong(db, viewer, song?.songId ?? "", { now: settled, isActivity: true });
  expect(await newsAt(session, settled)).toEqual({ songs: 10, only: null });
});

test("opening another's song, or its page as data, leaves its owner's news", async () => {
  const [owner, stranger] = [await makeUser(), await makeUser()];
  const [theirs, own] = [await makeSong(owner), await makeSong(stranger)];
  for (const song of [theirs, own]) await makeRating(await makeUser(), song, { at: ratedAt });
  const [session, other] = [await makeSession(owner), await makeSession(stranger)];
  await openSong(other, theirs, settled);
  expect((await newsAt(session, settled))?.only?.songId).toBe(theirs.id);
  await openSong(other, own, settled);
  expect((await newsAt(session, settled))?.only?.songId).toBe(theirs.id);
  expect(await newsAt(other, settled)).toBeNull();
  await seeNews(db, stranger.id, sql`1`);
  expect((await newsAt(session, settled))?.only?.songId).toBe(theirs.id);
});

test("the database refuses news to the second, and news of a song without ratings", async () => {
  const song = await makeSong(await makeUser());
  const write = (at: number) =>
    env.DB.prepare("UPDATE songs SET news_since = ? WHERE id = ?").bind(at, song.id).run();
  await expect(write(baseTime)).rejects.toThrow("songs_news");
  await makeRating(await makeUser(), song);
  await expect(write(baseTime + 1)).rejects.toThrow("songs_news");
});

test("the pages say it: a line on the carousel, a dot in the menu, with words for who hears them", async () => {
  const owner = await makeUser();
  const song = await makeSong(owner);
  const { cookie } = await makeSession(owner);
  await makeRating(await makeUser(), song);
  const carousel = await (await request("/", { cookie })).text();
  expect(carousel).toContain(`href="/ratings-of-my-songs/${song.id}"`);
  expect(carousel).toContain("has a new rating");
  expect(carousel).toContain(", new ratings");
  const result = await (await request(`/ratings-of-my-songs/${song.id}`, { cookie })).text();
  expect(result).not.toContain("new ratings");
  expect(await (await request("/", { cookie })).text()).not.toContain("new rating");
});
