import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import {
  refreshCommunity,
  selectCommunity,
  toCommunity,
} from "~/exchange/community/community.server";
import type { Score } from "~/exchange/rating/scale";
import { rowsOf } from "../../support/database/contents";
import { insert, makeRating, makeSong, makeUser, unique } from "../../support/database/factories";

const db = createDatabase(env.DB);
const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** Noon. */
const now = Date.UTC(2026, 5, 15, 12);

async function read() {
  const [rows] = await db.batch([selectCommunity(db)]);
  return toCommunity(rows);
}

/** A song submitted then, with a rating of each of these scores after so many hours each. */
async function ratedSong(submittedAt: number, ratings: { score: Score; hours: number }[]) {
  const song = await makeSong(await makeUser(), { submittedAt: [submittedAt] });
  for (const { score, hours } of ratings) {
    await makeRating(await makeUser(), song, { score, at: submittedAt + hours * hour });
  }
  return song;
}

/** Five ratings, the last of which came after so many hours. */
function five(hours: number, score: Score = 3) {
  return [1, 2, 3, 4, 5].map((n) => ({ score, hours: (hours * n) / 5 }));
}

describe("a promise", () => {
  test("is kept by its fifth rating, and at that time", async () => {
    const { id } = await ratedSong(now, five(10));
    expect(await rowsOf("SELECT song_id, completed_at FROM submissions")).toEqual([
      { song_id: id, completed_at: now + 10 * hour },
    ]);
  });

  test("is open while a rating is owed, and the second one is kept by the tenth", async () => {
    const song = await makeSong(await makeUser(), { submittedAt: [now, now + day] });
    const kept = () => rowsOf("SELECT completed_at AS at FROM submissions ORDER BY number");
    for (let n = 1; n <= 9; n += 1) {
      await makeRating(await makeUser(), song, { at: now + n * hour });
      expect(await kept()).toEqual([{ at: n < 5 ? null : now + 5 * hour }, { at: null }]);
    }
    await makeRating(await makeUser(), song, { at: now + 10 * hour });
    expect(await kept()).toEqual([{ at: now + 5 * hour }, { at: now + 10 * hour }]);
  });
});

test("kept promises from before are dated by the ratings that kept them", async () => {
  const song = await makeSong(await makeUser(), { submittedAt: [now] });
  for (let n = 1; n <= 7; n += 1) await makeRating(await makeUser(), song, { at: now + n * hour });
  await env.DB.batch([
    env.DB.prepare("UPDATE songs SET entitled = 10, owed = 5, owed_since = ?").bind(now + day),
    env.DB.prepare("UPDATE users SET submitted_count = 2 WHERE id = ?").bind(song.ownerId),
    insert("submissions", {
      ...{ id: unique("submission"), song_id: song.id, owner_id: song.ownerId, number: 2 },
      ...{ spent: 0, limited: 1, request_key: unique("key"), created_at: now + day },
    }),
  ]);
  // Two of the seven came beyond the first promise, and count toward no other.
  for (let n = 1; n <= 5; n += 1) {
    await makeRating(await makeUser(), song, { at: now + day + n * hour });
  }
  expect(await rowsOf("SELECT completed_at AS at FROM submissions ORDER BY number")).toEqual([
    { at: now + 5 * hour },
    { at: now + day + 5 * hour },
  ]);
});

describe("the community's figures", () => {
  beforeEach(async () => {
    await ratedSong(now - 3 * day, five(10));
    await ratedSong(now - 3 * day, five(20));
    await ratedSong(now - 20 * day, five(30, 2));
    // Not kept yet, and kept before the last thirty days.
    await ratedSong(now - 2 * day, [{ score: 4, hours: 1 }]);
    await ratedSong(now - 40 * day, five(48));
  });

  test("cover the week's songs, the month's promises and the month's ratings", async () => {
    expect(await read()).toBeNull();
    expect(await refreshCommunity(db, now)).toEqual({ count: 1 });
    expect(await read()).toMatchObject({
      songsRatedThisWeek: 3,
      promisesKept: 3,
      halfWithinMs: 20 * hour,
      mostWithinMs: 30 * hour,
    });
    expect(await rowsOf("SELECT ratings, liked FROM community_figures ORDER BY id")).toEqual([
      { ratings: 16, liked: 11 },
      { ratings: 0, liked: 0 },
    ]);
  });

  test("are computed once a day", async () => {
    await refreshCommunity(db, now);
    await ratedSong(now - 2 * day, five(12));
    expect(await refreshCommunity(db, now + 11 * hour)).toEqual({ count: 0 });
    expect(await read()).toMatchObject({ promisesKept: 3 });
    expect(await refreshCommunity(db, now + 12 * hour)).toEqual({ count: 1 });
    expect(await read()).toMatchObject({ promisesKept: 4 });
    expect(await rowsOf("SELECT id FROM community_figures")).toHaveLength(2);
  });
});

test("without any song the figures say nothing", async () => {
  await refreshCommunity(db, now);
  expect(await read()).toEqual({
    songsRatedThisWeek: 0,
    promisesKept: 0,
    halfWithinMs: 0,
    mostWithinMs: 0,
    likedShare: null,
  });
});
