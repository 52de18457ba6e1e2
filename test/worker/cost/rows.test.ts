import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { loadCarousel } from "~/exchange/carousel/carousel.server";
import { mailSongsAgain } from "~/exchange/carousel/empty-pool/songs-again.server";
import { selectPool } from "~/exchange/pool/pool.server";
import * as index from "~/routes/_index/route";
import { budgets } from "../../support/budgets";
import { countingDatabase } from "../../support/database/counting-database";
import { insert, makeUser, type TestUser } from "../../support/database/factories";
import { putInRotation, putOwnInRotation, rateSongs } from "../../support/database/rotation";
import { makeSession, makeViewer, type TestSession } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { measure } from "../../support/measure";

function logIn(user: TestUser): Promise<TestSession> {
  return makeSession(user, { musician: "indira-pallavan" });
}

/** The rows that a page reads for a logged-in user. */
async function rowsRead({ cookie }: TestSession, path = "/"): Promise<number> {
  return (await measure(index.loader, { path, cookie })).rowsRead();
}

test("a carousel reads as many rows among 20,000 songs in rotation as among 1,000", async () => {
  const session = await logIn(await makeUser());
  await putInRotation(1, 1000);
  const drawing = await rowsRead(session);
  const few = [await rowsRead(session), await rowsRead(session, "/?menu=addownsong")];

  await putInRotation(1001, 20_000);
  const many = [await rowsRead(session), await rowsRead(session, "/?menu=addownsong")];
  await env.DB.prepare("DELETE FROM packages").run();
  const drawingAgain = await rowsRead(session);

  expect(many).toEqual(few);
  // The new package has another id, so a few other index entries may be read next to it.
  expect(Math.abs(drawingAgain - drawing)).toBeLessThanOrEqual(5);
  const [open, addSong] = few;
  for (const rows of [addSong, drawing]) {
    expect(rows).toBeGreaterThan(150);
    expect(rows).toBeLessThanOrEqual(budgets.rows.screen);
  }
  // Beside an open package, a glance at the pool does.
  expect(open).toBeLessThan(100);
});

test("the pool's statement binds no limit of a part of it, because SQLite would plan it anew each time", () => {
  const { sql } = selectPool(createDatabase(env.DB), "user", { hears: true, place: null }).toSQL();
  expect(sql).toMatch(/LIMIT 150/);
  expect(sql).not.toMatch(/LIMIT \?/);
});

test("a carousel stays cheap for somebody who has rated 300 songs that are still in rotation", async () => {
  const user = await makeUser();
  await putInRotation(1, 1000);
  await rateSongs(user, 1, 300);
  const session = await logIn(user);
  expect(await rowsRead(session)).toBeLessThanOrEqual(budgets.rows.screen);
  expect(await rowsRead(session)).toBeLessThanOrEqual(budgets.rows.screen);
});

test("a look for songs stays cheap for somebody who has rated 3,000 and waits for more, from the second on", async () => {
  const user = await makeUser();
  await putInRotation(1, 3000);
  await rateSongs(user, 1, 3000);
  await insert("song_wishes", { id: "wish", user_id: user.id, asked_at: 1, looked_at: 1 }).run();
  const counting = countingDatabase(env.DB);
  const db = createDatabase(counting.binding);
  const rowsWalked = async () => {
    const before = counting.rowsRead();
    await db.batch([selectPool(db, user.id, { hears: true, place: null })]);
    return counting.rowsRead() - before;
  };
  expect(await rowsWalked()).toBeGreaterThan(6000);
  const services = { db: createDatabase(env.DB), mailQueue: noteQueued(), secret: "a secret" };
  expect(await mailSongsAgain({ ...services, now: 2 })).toEqual({ looked: 1, mails: 0 });
  expect(await rowsWalked()).toBeLessThanOrEqual(budgets.rows.screen);
});

/** The rows that a carousel reads in a login without Spotify; a package is drawn each time. */
async function rowsDrawing(user: TestUser): Promise<number> {
  await env.DB.prepare("DELETE FROM packages").run();
  const counting = countingDatabase(env.DB);
  const { session } = await makeViewer(user, { way: "email" });
  const asked = { sessionId: session.id, ratedSongId: null };
  const services = {
    now: Date.now(),
    random: () => 0,
    secret: "a secret",
    isActivity: true,
    isSpotifyOpen: true,
    place: null,
  };
  const carousel = await loadCarousel(createDatabase(counting.binding), asked, services);
  expect(carousel?.view.songs).toHaveLength(5);
  return counting.rowsRead();
}

test("a carousel without Spotify reads as many rows among 20,000 songs as among 1,000", async () => {
  const user = await makeUser();
  await putInRotation(1, 500);
  await putOwnInRotation(501, 1000);
  const few = await rowsDrawing(user);
  await putInRotation(1001, 15_000);
  await putOwnInRotation(15_001, 20_000);
  expect(Math.abs((await rowsDrawing(user)) - few)).toBeLessThanOrEqual(5);
  expect(few).toBeGreaterThan(150);
  expect(few).toBeLessThanOrEqual(budgets.rows.screen);
});

test("twenty own recordings are found beyond 20,000 tracks", async () => {
  const user = await makeUser();
  await putInRotation(1, 20_000);
  await putOwnInRotation(20_001, 20_020);
  expect(await rowsDrawing(user)).toBeLessThanOrEqual(budgets.rows.screen);
});

test("own recordings stay cheap for somebody who has rated 1,000 that are still in rotation", async () => {
  const user = await makeUser();
  await putOwnInRotation(1, 1500);
  await rateSongs(user, 1, 1000);
  await rowsDrawing(user);
  expect(await rowsDrawing(user)).toBeLessThanOrEqual(budgets.rows.screen);
  expect(await rowsDrawing(user)).toBeLessThanOrEqual(budgets.rows.screen);
});

test("each listener's pool is walked along its own indexes", async () => {
  const query = selectPool(createDatabase(env.DB), "user", { hears: false, place: null }).toSQL();
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query.sql}`)
    .bind(...query.params)
    .all<{ detail: string }>();
  const walks = results.flatMap(
    ({ detail }) => /SEARCH songs USING INDEX (songs_\w+(?:line))\b/.exec(detail)?.[1] ?? [],
  );
  expect(walks).toEqual([
    "songs_in_line",
    "songs_behind_line",
    "songs_own_in_line",
    "songs_own_behind_line",
  ]);
});
