import { expect, test } from "vitest";
import {
  refreshCommunity,
  selectCommunity,
  toCommunity,
} from "~/exchange/community/community.server";
import type { Score } from "~/exchange/rating/scale";
import { dayMs, hourMs } from "~/platform/dates";
import { insert, makeRating, unique } from "../../support/database/factories";
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
  // Not kept yet, and kept before the last thirty days.
  await ratedSong(now - 2 * dayMs, [{ score: 4, hours: 1 }]);
  await ratedSong(now - 40 * dayMs, five(48));
  expect(await read()).toBeNull();
  expect(await refreshCommunity(db, now)).toEqual({ count: 1 });
  const figures = { songsRatedThisWeek: 3, promisesKept: 3 };
  const within = { halfWithinMs: 20 * hourMs, mostWithinMs: 30 * hourMs };
  expect(await read()).toMatchObject({ ...figures, ...within });
  expect(await rows("communityFigures")).toMatchObject([
    { ratings: 16, liked: 11 },
    { ratings: 0, liked: 0, promisesKept: 0 },
  ]);

  await ratedSong(now - 2 * dayMs, five(12));
  expect(await refreshCommunity(db, now + 11 * hourMs)).toEqual({ count: 0 });
  expect(await read()).toMatchObject({ promisesKept: 3 });
  expect(await refreshCommunity(db, now + 12 * hourMs)).toEqual({ count: 1 });
  expect(await read()).toMatchObject({ promisesKept: 4 });
  expect(await rows("communityFigures")).toHaveLength(2);
});

test("without any song the figures say nothing", async () => {
  await refreshCommunity(db, now);
  expect(await read()).toEqual({
    ...{ songsRatedThisWeek: 0, promisesKept: 0, halfWithinMs: 0, mostWithinMs: 0 },
    likedShare: null,
  });
});
