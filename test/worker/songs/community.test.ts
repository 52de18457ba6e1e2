import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import {
  refreshCommunity,
  selectCommunity,
  toCommunity,
} from "~/exchange/community/community.server";
import type { Score } from "~/exchange/rating/scale";
import { dayMs, hourMs, minuteMs } from "~/platform/dates";
import { countingDatabase } from "../../support/database/counting-database";
import { insert, makeRating, unique } from "../../support/database/factories";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { change, db, rows } from "../../support/database/rows";
import { someone, song } from "../../support/people";

/** Noon. */
const now = Date.UTC(2026, 5, 15, 12);

async function read() {
  const [found] = await db.batch([selectCommunity(db)]);
  return toCommunity(found);
}

/** A song submitted then, with a rating of each of these scores after so many hours each. */
async function ratedSong(submittedAt: number, ratings: { score: Score; hours: number }[]) {
  const it = await song({ submittedAt: [submittedAt] });
  for (const { score, hours } of ratings) {
    await makeRating(await someone(), it, { score, at: submittedAt + hours * hourMs });
  }
  return it;
}

/** Five ratings, the last of which came after so many hours. */
function five(hours: number, score: Score = 3) {
  return [1, 2, 3, 4, 5].map((n) => ({ score, hours: (hours * n) / 5 }));
}

/** When the promises were kept, in the order of their numbers. */
async function kept() {
  return (await rows("submissions")).map(({ completedAt }) => completedAt);
}

test("a promise is open while a rating is owed, kept by its fifth rating, and the second one by the tenth", async () => {
  const it = await song({ submittedAt: [now, now + dayMs] });
  for (let n = 1; n <= 9; n += 1) {
    await makeRating(await someone(), it, { at: now + n * hourMs });
    expect(await kept()).toEqual([n < 5 ? null : now + 5 * hourMs, null]);
  }
  await makeRating(await someone(), it, { at: now + 10 * hourMs });
  expect(await kept()).toEqual([now + 5 * hourMs, now + 10 * hourMs]);
});

test("kept promises from before are dated by the ratings that kept them", async () => {
  const it = await song({ submittedAt: [now] });
  for (let n = 1; n <= 7; n += 1) await makeRating(await someone(), it, { at: now + n * hourMs });
  await change("songs", {}, { entitled: 10, owed: 5, owedSince: now + dayMs });
  await change("users", { id: it.ownerId }, { submittedCount: 2 });
  await insert("submissions", {
    ...{ id: unique("submission"), song_id: it.id, owner_id: it.ownerId, number: 2 },
    ...{ spent: 0, limited: 1, request_key: unique("key"), created_at: now + dayMs },
  }).run();
  // Two of the seven came beyond the first promise, and count toward no other.
  for (let n = 1; n <= 5; n += 1) {
    await makeRating(await someone(), it, { at: now + dayMs + n * hourMs });
  }
  expect(await kept()).toEqual([now + 5 * hourMs, now + dayMs + 5 * hourMs]);
});

test("the figures cover the week's songs, the month's promises and ratings, and are computed once a day", async () => {
  await ratedSong(now - 3 * dayMs, five(10));
  await ratedSong(now - 3 * dayMs, five(20));
  await ratedSong(now - 20 * dayMs, five(30, 2));
  // Not kept yet, kept before the last thirty days, and of today.
  await ratedSong(now - 2 * dayMs, [{ score: 4, hours: 1 }]);
  await ratedSong(now - 40 * dayMs, five(48));
  await ratedSong(now - 12 * hourMs, five(11));
  expect(await read()).toBeNull();
  expect(await refreshCommunity(db, now)).toEqual({ count: 1 });
  const figures = { songsRatedThisWeek: 3, promisesKept: 3 };
  const within = { halfWithinMs: 20 * hourMs, mostWithinMs: 30 * hourMs };
  expect(await read()).toMatchObject({ ...figures, ...within });
  expect(await rows("communityFigures")).toMatchObject([
    { ratings: 16, liked: 11 },
    { ratings: 0, liked: 0, promisesKept: 0 },
  ]);

  expect(await refreshCommunity(db, now + 11 * hourMs)).toEqual({ count: 0 });
  expect(await read()).toMatchObject({ promisesKept: 3 });
  // Once what happened just before midnight is written and final.
  expect(await refreshCommunity(db, now + 12 * hourMs + 9 * minuteMs)).toEqual({ count: 0 });
  expect(await refreshCommunity(db, now + 12 * hourMs + 10 * minuteMs)).toEqual({ count: 1 });
  expect(await read()).toMatchObject({ promisesKept: 4, songsRatedThisWeek: 4 });
  expect(await rows("communityFigures")).toHaveLength(2);
});

test("a recording counts in the week of its last rating, whenever the job has run", async () => {
  const it = await song({ submittedAt: [now - 9 * dayMs] });
  for (const days of [9, 5, 4, 1]) {
    await makeRating(await someone(), it, { at: now - days * dayMs });
    if (days !== 5) await refreshCommunity(db, now - days * dayMs + hourMs);
  }
  for (const [later, songs] of [
    [0, 1],
    [6, 1],
    [7, 0],
  ] as const) {
    await refreshCommunity(db, now + later * dayMs);
    expect(await read()).toMatchObject({ songsRatedThisWeek: songs });
  }
});

test("what was counted stays when accounts leave, and counts once when two runs come at once", async () => {
  const it = await ratedSong(now - 3 * dayMs, five(10));
  await Promise.all([refreshCommunity(db, now - dayMs), refreshCommunity(db, now - dayMs)]);
  await refreshCommunity(db, now - dayMs);
  await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(it.ownerId).run();
  await change("users", {}, { ratedWithdrawn: 1 });
  await refreshCommunity(db, now);
  expect(await read()).toMatchObject({ songsRatedThisWeek: 1, promisesKept: 1 });
  expect(await rows("communityFigures")).toMatchObject([{ ratings: 5 }, { ratings: 0 }]);
});

test("days that the job has missed are counted in portions, and figures come with the last of them", async () => {
  await putInRotation(1, 3000);
  await rateSongs(await someone(), 1, 3000);
  const at = now - 3 * dayMs;
  await env.DB.batch([
    env.DB.prepare("UPDATE ratings SET created_at = ? + 60000 * rowid").bind(at),
    env.DB.prepare(
      "UPDATE songs SET active_at = (SELECT created_at FROM ratings WHERE song_id = songs.id)",
    ),
  ]);
  const reads = [];
  for (const count of [0, 1, 0]) {
    const counting = countingDatabase(env.DB);
    expect(await refreshCommunity(createDatabase(counting.binding), now)).toEqual({ count });
    reads.push(counting.rowsRead());
  }
  expect(await read()).toMatchObject({ songsRatedThisWeek: 3000 });
  expect(await rows("communityFigures")).toMatchObject([{ ratings: 3000 }, { ratings: 0 }]);
  expect(reads.at(-1)).toBeLessThan(50);
});

test("without any song the figures say nothing", async () => {
  await refreshCommunity(db, now);
  expect(await read()).toEqual({
    ...{ songsRatedThisWeek: 0, promisesKept: 0, halfWithinMs: 0, mostWithinMs: 0 },
    likedShare: null,
  });
});
