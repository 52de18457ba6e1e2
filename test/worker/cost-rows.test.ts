import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import * as index from "~/routes/_index";
import { makeUser, type TestUser } from "../support/factories";
import { makeSession, type TestSession } from "../support/login";
import { measure } from "../support/measure";

/** Design section 7, "D1". */
const mostRows = 1000;

/** Puts the songs of these numbers into rotation, two an owner, the lowest numbers due first. */
async function putInRotation(first: number, last: number): Promise<void> {
  const numbers = `WITH RECURSIVE numbers(n) AS (
    SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)`;
  await env.DB.batch([
    env.DB.prepare(
      `INSERT OR IGNORE INTO users (id, spotify_id, display_name, created_at, updated_at)
       ${numbers} SELECT 'owner-' || (n / 2), 'spotify-' || (n / 2), 'An owner', 1, 1 FROM numbers`,
    ).bind(first, last),
    env.DB.prepare(
      `INSERT INTO songs (id, owner_id, track_id, title, artists, album, duration_ms, spotify_url,
         fetched_at, entitled, owed, due_at, created_at)
       ${numbers} SELECT printf('song-%08d', n), 'owner-' || (n / 2), printf('%022d', n), 'A title',
         '["An artist"]', 'An album', 180000, 'https://open.spotify.com/', 1, 5, 5, n, n FROM numbers`,
    ).bind(first, last),
  ]);
}

/** Lets a user have rated the songs up to this number, all of which are owed more ratings. */
async function rateUpTo(user: TestUser, last: number): Promise<void> {
  const songs = "FROM songs WHERE id <= printf('song-%08d', ?2)";
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO listens (id, user_id, song_id, required_seconds, started_at, finished_at,
         evidence, closed_at)
       SELECT 'listen-' || id, ?1, id, 55, 1, 60000, 'spotify', 60000 ${songs}`,
    ).bind(user.id, last),
    env.DB.prepare(
      `INSERT INTO ratings (id, song_id, owner_id, rater_id, listen_id, score, owes_mail, created_at)
       SELECT 'rating-' || id, id, owner_id, ?1, 'listen-' || id, 3, 0, 60000 ${songs}`,
    ).bind(user.id, last),
    env.DB.prepare(
      "UPDATE songs SET received = 1, owed = 4 WHERE id <= printf('song-%08d', ?1)",
    ).bind(last),
    env.DB.prepare("UPDATE users SET credits = ?2, rated_count = ?2 WHERE id = ?1").bind(
      user.id,
      last,
    ),
  ]);
}

function logIn(user: TestUser): Promise<TestSession> {
  return makeSession(user, { musician: "indira-pallavan" });
}

/** Rows read by a page of somebody logged in. */
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
  // The new package has another id, beside which another row may have to be looked at.
  expect(Math.abs(drawingAgain - drawing)).toBeLessThanOrEqual(5);
  for (const rows of [...few, drawing]) {
    expect(rows).toBeGreaterThan(150);
    expect(rows).toBeLessThan(mostRows);
  }
});

test("a carousel stays cheap for somebody who has rated 300 songs that wait for more", async () => {
  const user = await makeUser();
  await putInRotation(1, 1000);
  await rateUpTo(user, 300);
  const session = await logIn(user);
  expect(await rowsRead(session)).toBeLessThan(mostRows);
  expect(await rowsRead(session)).toBeLessThan(mostRows);
});
