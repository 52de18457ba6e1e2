import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { ratingsOfOwnSongs } from "~/results/received.server";
import { readOwnSong } from "~/results/song-result.server";
import * as list from "~/routes/ratings-of-my-songs/route";
import { makeCommunity } from "../../support/database/community";
import { countingDatabase } from "../../support/database/counting-database";
import { baseTime, makeRating, makeUser, type TestUser } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { putOwnersSongs } from "../../support/database/rotation";
import { db } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { measure } from "../../support/measure";
import { type Someone, someone, song, songs } from "../../support/people";
import { dataOf } from "../../support/request";

const minute = 60_000;
const day = 24 * 60 * minute;
const path = "/ratings-of-my-songs";

afterEach(() => {
  vi.restoreAllMocks();
});

interface List {
  panels: { songId: string; scores: number[]; lines: { isNew: boolean }[]; drawn: boolean }[];
  next: string | null;
}

/** The list as the page's loader gives it, at a visit or when the page reads its own data again. */
async function read(owner: Someone, query = "", isReread = false) {
  const page = path + query;
  const asked = isReread
    ? { path: dataOf(page), headers: { Referer: env.APP_ORIGIN + page } }
    : { path: page };
  const { answer } = await measure(list.loader, { ...asked, cookie: await owner.login() });
  const { panels, next } = answer as List;
  return { panels, ids: panels.map(({ songId }) => songId), next };
}

/** Somebody with songs submitted a day apart, whose ids are the newest first. */
async function ownerOf(count: number) {
  const owner = await someone();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.unshift((await song({ owner, submittedAt: [baseTime + n * day] })).id);
  }
  return { owner, ids };
}

test("the list shows twenty songs a page, each once, and leads on from the last one", async () => {
  const { owner, ids } = await ownerOf(41);
  const first = await read(owner);
  expect(first.ids).toEqual(ids.slice(0, 20));
  const second = await read(owner, `?after=${first.next}`);
  expect(second.ids).toEqual(ids.slice(20, 40));
  const third = await read(owner, `?after=${second.next}`);
  expect([third.ids, third.next]).toEqual([ids.slice(40), null]);
  const page = await owner.reads(`${path}?after=${first.next}`);
  shows(page, `?after=${encodeURIComponent(second.next ?? "")}`, "Back to the newest");
});

test("the list loses no song, and shows none twice, while one comes forward between two pages", async () => {
  const { owner, ids } = await ownerOf(22);
  const first = await read(owner);
  const last = { id: ids[19] ?? "", ownerId: owner.id };
  await makeRating(await makeUser(), last, { at: baseTime + 100 * day });
  expect((await read(owner, `?after=${first.next}`)).ids).toEqual(ids.slice(20));
  expect((await read(owner)).ids[0]).toBe(last.id);
});

test("the list loses none of many songs of one minute, whatever index they are read by", async () => {
  const owner = await someone();
  await songs(25, { owner });
  const index = "SELECT sql FROM sqlite_schema WHERE name = 'songs_by_activity'";
  const sql = (await env.DB.prepare(index).first<string>("sql")) ?? "";
  await env.DB.prepare("DROP INDEX songs_by_activity").run();
  try {
    const first = await read(owner);
    const rest = await read(owner, `?after=${first.next}`);
    expect(new Set([...first.ids, ...rest.ids]).size).toBe(25);
  } finally {
    await env.DB.prepare(sql).run();
  }
});

test("the list shows the song that a mail leads to, wherever it stands, and nobody else's", async () => {
  const { owner, ids } = await ownerOf(30);
  const newest = ids.slice(0, 20);
  const foreign = await song();
  expect((await read(owner, `?song=${ids[25]}`)).ids).toEqual([ids[25], ...newest]);
  for (const id of [ids[3], foreign.id]) {
    expect((await read(owner, `?song=${id}`)).ids).toEqual(newest);
  }
  expect(await owner.reads(`${path}?song=${ids[25]}`)).toMatch(
    new RegExp(`<details[^>]* id="song-${ids[25]}" open=""`),
  );
});

test.each(["", "x", "%27", "..", `${"9".repeat(40)}.x`])(
  "the list begins anew at a place that is none: %j",
  async (after) => {
    const { owner, ids } = await ownerOf(1);
    await answers(owner.gets(`${path}?after=${after}`), 200, `song-${ids[0]}`);
  },
);

test("a song in the rotation that waits for ratings says how long that takes, a resting one does not", async () => {
  const owner = await someone();
  await song({ owner, received: 5 });
  hides(await owner.reads(path), "still to come");
  const { id } = await song({ owner, received: 4 });
  const waits = "1 rating is still to come.";
  shows(await owner.reads(path), `${waits} Too few songs lately to say how long that takes.`);
  await makeCommunity({ promises_kept: 30, half_within_ms: minute, most_within_ms: day });
  shows(
    await owner.reads(path),
    `${waits} Most songs have all five ratings within 1 hour. Some wait much longer.`,
  );
  for (const [action, waiting] of [
    ["withdraw", false],
    ["resume", true],
  ] as const) {
    await answers(owner.posts(`/songs/${id}/${action}`), 303);
    expect((await owner.reads(path)).includes("still to come.")).toBe(waiting);
  }
});

/** The rows that the list and a song's page read for a user with Premium, who has no songs yet. */
async function rowsFor() {
  const owner = await someone({ tier: "premium" });
  const viewer = await owner.viewer();
  const options = { secret: "a secret", now: Date.now(), isActivity: false };
  const listOf = (from: typeof db) =>
    ratingsOfOwnSongs(from, viewer.session.id, { after: null, song: "none" }, options);
  // The first look also works out what the user's address has unsubscribed from.
  await listOf(db);
  const counted = async (run: (from: typeof db) => Promise<unknown>) => {
    const { binding, rowsRead, roundTrips } = countingDatabase(env.DB);
    await run(createDatabase(binding));
    expect(roundTrips()).toBe(1);
    return rowsRead();
  };
  return {
    owner,
    list: () => counted(listOf),
    song: (id: string) => counted((from) => readOwnSong(from, viewer, id, options)),
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
  const { owner, list } = await rowsFor();
  await putOwnersSongs(owner, 40);
  const few = await list();
  await env.DB.prepare("DELETE FROM songs").run();
  await putOwnersSongs(owner, 1000);
  expect(await list()).toBe(few);
});

test("however many ratings its songs have, the list reads fewer than 1,000 rows, and a song's page", async () => {
  const { owner, list, song } = await rowsFor();
  await putOwnersSongs(owner, 30);
  await rateAll(owner, 30);
  const few = await list();
  await rateAll(owner, 600);
  expect(await list()).toBe(few);
  expect(few).toBeLessThan(1000);
  expect(await song("own-00000007")).toBeLessThan(1000);
  const { panels } = await read(owner);
  expect(panels.map(({ scores, lines }) => [scores.length, lines.length])).toEqual(
    Array(20).fill([20, 10]),
  );
});

/** The list at a time. */
async function look(at: number, ...asked: Parameters<typeof read>) {
  vi.spyOn(Date, "now").mockImplementation(() => at);
  const { panels } = await read(...asked);
  vi.restoreAllMocks();
  return panels;
}

test("ratings that make five are drawn at the first look, and never again", async () => {
  const now = Date.now();
  const owner = await someone();
  // Not only at the first look, whose time is another.
  await owner.login();
  const it = await song({ owner });
  const rated = async (at: number) => makeRating(await makeUser(), it, { at });
  const drawn = async (at: number, isReread = false) =>
    (await look(at, owner, "", isReread)).some((panel) => panel.drawn);
  for (let n = 4; n > 0; n -= 1) await rated(now - (60 + n) * minute);
  expect(await drawn(now)).toBe(false);
  await rated(now + 1000);
  // Nobody may be there when the page asks again.
  expect(await drawn(now + 2000, true)).toBe(false);
  expect(await drawn(now + 3000)).toBe(true);
  expect(await drawn(now + 4000)).toBe(false);
  expect(await drawn(now + 90 * minute)).toBe(false);
});

test("ratings since the last visit are marked until the visit is over, and their songs stand first", async () => {
  const now = Date.now();
  const owner = await someone();
  // Not only at the first look, whose time is another.
  await owner.login();
  const it = await song({ owner });
  const rated = async (at: number) => makeRating(await makeUser(), it, { at });
  /** The songs with news. */
  const news = async (minutes: number, query = "", isReread = false) =>
    (await look(now + minutes * minute, owner, query, isReread))
      .filter(({ lines }) => lines.some(({ isNew }) => isNew))
      .map(({ songId }) => songId);
  await rated(now - 100 * minute);
  // The first look has nothing to compare with.
  expect(await news(-90)).toEqual([]);
  await rated(now - 40 * minute);
  const submitted = await song({ owner, submittedAt: [now - 20 * minute] });

  // The page asks for its own data again while nobody may be there.
  expect(await news(-30, "", true)).toEqual([it.id]);
  expect(await news(-10)).toEqual([it.id]);
  expect((await read(owner)).ids).toEqual([it.id, submitted.id]);
  for (const query of ["", "?saved=1", `?song=${it.id}`]) {
    expect(await news(0, query)).toEqual([it.id]);
  }
  expect(await news(0, "", true)).toEqual([it.id]);
  shows(await owner.reads(path), "new since your last visit");
  expect(await news(31)).toEqual([]);
});

test("after paying, what Premium has unlocked is marked, with thanks", async () => {
  const thanks = "Thank you for subscribing!";
  const owner = await someone({ tier: "premium" });
  const it = await song({ owner, received: 4 });
  await song({ owner, received: 3 });
  const unlocked = await owner.reads(`${path}?song=${it.id}&unlocked`);
  shows(unlocked, thanks);
  expect(unlocked.match(/new with Premium/g)).toHaveLength(2);
  hides(await owner.reads(`${path}?song=${it.id}`), thanks);
  hides(await (await someone()).reads(`${path}?unlocked`), thanks);
});
