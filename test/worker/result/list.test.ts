import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { loadViewer } from "~/members/viewer.server";
import { ratingsOfOwnSongs } from "~/results/received.server";
import { readOwnSong } from "~/results/song-result.server";
import * as list from "~/routes/ratings-of-my-songs/route";
import { makeCommunity } from "../../support/database/community";
import { countingDatabase } from "../../support/database/counting-database";
import {
  baseTime,
  makeRating,
  makeSong,
  makeUser,
  type TestUser,
} from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { putOwnersSongs } from "../../support/database/rotation";
import { makeSession } from "../../support/login";
import { measure } from "../../support/measure";
import { dataOf, request } from "../../support/request";

const minute = 60_000;
const day = 24 * 60 * minute;

afterEach(() => {
  vi.restoreAllMocks();
});

interface Panel {
  songId: string;
  scores: number[];
  lines: { isNew: boolean }[];
  drawn: boolean;
}
interface List {
  panels: Panel[];
  next: string | null;
}

/** The list as the page's loader gives it. */
async function read(cookie: string, query = "", headers = {}) {
  const path = `/ratings-of-my-songs${query}`;
  const { answer } = await measure(list.loader, { path, cookie, headers });
  const { panels, next } = answer as List;
  return { panels, ids: panels.map(({ songId }) => songId), next };
}

/** Songs submitted a day apart. @returns their ids, newest first. */
async function makeSongs(owner: TestUser, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.unshift((await makeSong(owner, { submittedAt: [baseTime + n * day] })).id);
  }
  return ids;
}

describe("the list", () => {
  test("shows twenty songs a page, each once, and leads on from the last one", async () => {
    const owner = await makeUser();
    const ids = await makeSongs(owner, 41);
    const { cookie } = await makeSession(owner);
    const first = await read(cookie);
    expect(first.ids).toEqual(ids.slice(0, 20));
    const second = await read(cookie, `?after=${first.next}`);
    expect(second.ids).toEqual(ids.slice(20, 40));
    const third = await read(cookie, `?after=${second.next}`);
    expect([third.ids, third.next]).toEqual([ids.slice(40), null]);
    const page = await (
      await request(`/ratings-of-my-songs?after=${first.next}`, { cookie })
    ).text();
    expect(page).toContain(`?after=${encodeURIComponent(second.next ?? "")}`);
    expect(page).toContain("Back to the newest");
  });

  test("loses no song, and shows none twice, while one comes forward between two pages", async () => {
    const owner = await makeUser();
    const ids = await makeSongs(owner, 22);
    const { cookie } = await makeSession(owner);
    const first = await read(cookie);
    const last = { id: ids[19] ?? "", ownerId: owner.id } as Parameters<typeof makeRating>[1];
    await makeRating(await makeUser(), last, { at: baseTime + 100 * day });
    expect((await read(cookie, `?after=${first.next}`)).ids).toEqual(ids.slice(20));
    expect((await read(cookie)).ids[0]).toBe(last.id);
  });

  test("loses none of many songs of one minute, whatever index they are read by", async () => {
    const owner = await makeUser();
    for (let n = 0; n < 25; n += 1) await makeSong(owner, { submittedAt: [baseTime] });
    const { cookie } = await makeSession(owner);
    const index = "SELECT sql FROM sqlite_schema WHERE name = 'songs_by_activity'";
    const sql = (await env.DB.prepare(index).first<string>("sql")) ?? "";
    await env.DB.prepare("DROP INDEX songs_by_activity").run();
    try {
      const first = await read(cookie);
      const rest = await read(cookie, `?after=${first.next}`);
      expect(new Set([...first.ids, ...rest.ids]).size).toBe(25);
    } finally {
      await env.DB.prepare(sql).run();
    }
  });

  test("shows the song that a mail leads to, wherever it stands, and nobody else's", async () => {
    const owner = await makeUser();
    const ids = await makeSongs(owner, 30);
    const foreign = await makeSong(await makeUser());
    const { cookie } = await makeSession(owner);
    expect((await read(cookie, `?song=${ids[25]}`)).ids).toEqual([ids[25], ...ids.slice(0, 20)]);
    expect((await read(cookie, `?song=${ids[3]}`)).ids).toEqual(ids.slice(0, 20));
    expect((await read(cookie, `?song=${foreign.id}`)).ids).toEqual(ids.slice(0, 20));
    const page = await (await request(`/ratings-of-my-songs?song=${ids[25]}`, { cookie })).text();
    expect(page).toMatch(new RegExp(`<details[^>]* id="song-${ids[25]}" open=""`));
  });

  test.each(["", "x", "%27", "..", `${"9".repeat(40)}.x`])(
    "begins anew at a place that is none: %j",
    async (after) => {
      const owner = await makeUser();
      const [id] = await makeSongs(owner, 1);
      const { cookie } = await makeSession(owner);
      const response = await request(`/ratings-of-my-songs?after=${after}`, { cookie });
      expect([response.status, (await response.text()).includes(`song-${id}`)]).toEqual([
        200,
        true,
      ]);
    },
  );
});

test("a song in the rotation that waits for ratings says how long that takes, a resting one does not", async () => {
  const owner = await makeUser();
  const { cookie } = await makeSession(owner);
  const page = async () => (await request("/ratings-of-my-songs", { cookie })).text();
  await makeSong(owner, { received: 5 });
  expect(await page()).not.toContain("still to come");
  const { id } = await makeSong(owner, { received: 4 });
  const waits = "1 rating is still to come. Too few songs lately to say how long that takes.";
  expect(await page()).toContain(waits);
  await makeCommunity({ promises_kept: 30, half_within_ms: minute, most_within_ms: day });
  expect(await page()).toContain(
    "1 rating is still to come. Most songs have all five ratings within 1 hour. Some wait much longer.",
  );
  for (const [action, waiting] of [
    ["withdraw", false],
    ["resume", true],
  ] as const) {
    expect((await request(`/songs/${id}/${action}`, { cookie, form: {} })).status).toBe(303);
    expect((await page()).includes("still to come.")).toBe(waiting);
  }
});

/** The rows that the list and a song's page read for a user. */
async function rowsFor(user: TestUser) {
  const session = await makeSession(user);
  const viewer = await loadViewer(createDatabase(env.DB), session.id, { now: Date.now() });
  if (!viewer) throw new Error("the session has ended");
  const options = { secret: "a secret", now: Date.now(), isActivity: false };
  const listOf = (db: ReturnType<typeof createDatabase>) =>
    ratingsOfOwnSongs(db, session.id, { after: null, song: "none" }, options);
  // The first look also works out what the user's address has unsubscribed from.
  await listOf(createDatabase(env.DB));
  const counted = async (run: (db: ReturnType<typeof createDatabase>) => Promise<unknown>) => {
    const { binding, rowsRead, roundTrips } = countingDatabase(env.DB);
    await run(createDatabase(binding));
    expect(roundTrips()).toBe(1);
    return rowsRead();
  };
  return {
    list: () => counted(listOf),
    song: (id: string) => counted((db) => readOwnSong(db, viewer, id, options)),
  };
}

/** Gives all songs this many ratings from nobody, which the trigger that wants a listen would refuse. */
async function rateAll(owner: TestUser, count: number): Promise<void> {
  exemptFromInvariants(
    "received is the number of ratings",
    "every promised rating was received or is owed",
  );
  const trigger = "SELECT sql FROM sqlite_schema WHERE name = 'ratings_after_listen'";
  const sql = await env.DB.prepare(trigger).first<string>("sql");
  await env.DB.batch([
    env.DB.prepare("DROP TRIGGER ratings_after_listen"),
    env.DB.prepare("DELETE FROM ratings"),
    env.DB.prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
       INSERT INTO ratings (id, song_id, owner_id, score, owes_mail, created_at)
       SELECT id || '-' || n, id, owner_id, 1 + n % 4, 0, n FROM songs, numbers WHERE owner_id = ?1`,
    ).bind(owner.id, count),
    env.DB.prepare(sql ?? ""),
  ]);
}

test("the list reads as many rows for 1,000 songs as for 40", async () => {
  const owner = await makeUser({ tier: "premium" });
  const rows = await rowsFor(owner);
  await putOwnersSongs(owner, 40);
  const few = await rows.list();
  await env.DB.prepare("DELETE FROM songs").run();
  await putOwnersSongs(owner, 1000);
  expect(await rows.list()).toBe(few);
});

test("however many ratings its songs have, the list reads fewer than 1,000 rows, and a song's page", async () => {
  const owner = await makeUser({ tier: "premium" });
  const rows = await rowsFor(owner);
  await putOwnersSongs(owner, 30);
  await rateAll(owner, 30);
  const few = await rows.list();
  await rateAll(owner, 600);
  expect(await rows.list()).toBe(few);
  expect(few).toBeLessThan(1000);
  const id = "own-00000007";
  expect(await rows.song(id)).toBeLessThan(1000);
  const { cookie } = await makeSession(owner);
  const { panels } = await read(cookie);
  expect(panels.map(({ scores, lines }) => [scores.length, lines.length])).toEqual(
    Array(20).fill([20, 10]),
  );
});

describe("ratings since the last visit", () => {
  /** The list at a time, as a visit or as a reread of the page itself. */
  async function look(cookie: string, at: number, query = "", isReread = false) {
    vi.spyOn(Date, "now").mockImplementation(() => at);
    const page = `/ratings-of-my-songs${query}`;
    const path = isReread ? dataOf(page) : page;
    const headers = isReread ? { Referer: env.APP_ORIGIN + page } : {};
    const { answer } = await measure(list.loader, { path, cookie, headers });
    vi.restoreAllMocks();
    return (answer as List).panels;
  }

  /** The songs with news. */
  async function news(...[cookie, at, query, isReread]: Parameters<typeof look>) {
    return (await look(cookie, at, query, isReread))
      .filter(({ lines }) => lines.some(({ isNew }) => isNew))
      .map(({ songId }) => songId);
  }

  test("that make five are drawn at the first look, and never again", async () => {
    const now = Date.now();
    const owner = await makeUser();
    const song = await makeSong(owner);
    const { cookie } = await makeSession(owner);
    const drawn = async (at: number, isReread = false) =>
      (await look(cookie, at, "", isReread)).some((panel) => panel.drawn);
    for (let n = 4; n > 0; n -= 1) {
      await makeRating(await makeUser(), song, { at: now - (60 + n) * minute });
    }
    expect(await drawn(now)).toBe(false);
    await makeRating(await makeUser(), song, { at: now + 1000 });
    // Nobody may be there when the page asks again.
    expect(await drawn(now + 2000, true)).toBe(false);
    expect(await drawn(now + 3000)).toBe(true);
    expect(await drawn(now + 4000)).toBe(false);
    expect(await drawn(now + 90 * minute)).toBe(false);
  });

  test("are marked until the visit is over, and their songs stand first", async () => {
    const now = Date.now();
    const owner = await makeUser();
    const rated = await makeSong(owner);
    const { cookie } = await makeSession(owner);
    await makeRating(await makeUser(), rated, { at: now - 100 * minute });
    // The first look has nothing to compare with.
    expect(await news(cookie, now - 90 * minute)).toEqual([]);
    await makeRating(await makeUser(), rated, { at: now - 40 * minute });
    const submitted = await makeSong(owner, { submittedAt: [now - 20 * minute] });

    // The page asks for its own data again while nobody may be there.
    expect(await news(cookie, now - 30 * minute, "", true)).toEqual([rated.id]);
    expect(await news(cookie, now - 10 * minute)).toEqual([rated.id]);
    expect((await read(cookie)).ids).toEqual([rated.id, submitted.id]);
    for (const query of ["", "?saved=1", `?song=${rated.id}`]) {
      expect(await news(cookie, now, query)).toEqual([rated.id]);
    }
    expect(await news(cookie, now, "", true)).toEqual([rated.id]);
    const page = await (await request("/ratings-of-my-songs", { cookie })).text();
    expect(page).toContain("new since your last visit");
    expect(await news(cookie, now + 31 * minute)).toEqual([]);
  });
});

test("after paying, what Premium has unlocked is marked, with thanks", async () => {
  const owner = await makeUser({ tier: "premium" });
  const song = await makeSong(owner, { received: 4 });
  await makeSong(owner, { received: 3 });
  const { cookie } = await makeSession(owner);
  const page = async (query: string) =>
    (await request(`/ratings-of-my-songs${query}`, { cookie })).text();
  const unlocked = await page(`?song=${song.id}&unlocked`);
  expect(unlocked).toContain("Thank you for subscribing!");
  expect(unlocked.match(/new with Premium/g)).toHaveLength(2);
  const usual = await page(`?song=${song.id}`);
  expect(usual).not.toContain("Thank you for subscribing!");
  expect(usual).not.toContain("new with Premium");
  const free = await makeUser();
  const other = await makeSession(free);
  const pretended = await request("/ratings-of-my-songs?unlocked", other);
  expect(await pretended.text()).not.toContain("Thank you for subscribing!");
});
