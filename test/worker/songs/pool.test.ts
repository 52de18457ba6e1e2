import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { purgeExpired } from "~/account/purge.server";
import { songs } from "~/db/schema";
import { parsePool, selectPool } from "~/exchange/pool/pool.server";
import { minuteMs as minute } from "~/platform/dates";
import * as index from "~/routes/_index/route";
import { insert } from "../../support/database/factories";
import { findViolations, invariants } from "../../support/database/invariants";
import { putInRotation, rateSongs } from "../../support/database/rotation";
import { change, db, row, rows } from "../../support/database/rows";
import { makeSession } from "../../support/login";
import { measure } from "../../support/measure";
import { type Someone, someone } from "../../support/people";
import { dataOf } from "../../support/request";

const musician = "indira-pallavan";
/** What the songs that `putInRotation` makes leave out. */
const withoutSubmissions = invariants.filter(({ name }) => name.includes("window"));

let user: Someone;
beforeEach(async () => {
  user = (await someone({ musician })).at(Date.now());
});

function id(number: number): string {
  return `song-${String(number).padStart(8, "0")}`;
}

async function pool(): Promise<string[]> {
  const found = parsePool(await selectPool(db, user.id, { hears: true, place: null }));
  return found.songs.map(({ songId }) => songId);
}

/** The pool as it is found by walking through the whole rotation. */
async function poolFromTheStart(): Promise<string[]> {
  const stored = env.DB.prepare("SELECT * FROM pool_windows");
  const window = await stored.first<Parameters<typeof insert>[1]>();
  await env.DB.prepare("DELETE FROM pool_windows").run();
  const found = await pool();
  if (window) await insert("pool_windows", window).run();
  return found;
}

/** Looks at the carousel after some time away, and answers the rows it has read. */
async function look({ draws = true } = {}): Promise<number> {
  if (draws) await env.DB.prepare("DELETE FROM packages").run();
  const lastSeenAt = Date.now() - 2 * minute;
  const { cookie } = await makeSession(user, { musician, lastSeenAt });
  return (await measure(index.loader, { path: "/", cookie })).rowsRead();
}

async function setDue(number: number, owedSince: number | null): Promise<void> {
  const counts = owedSince === null ? { owed: 0, received: 5 } : { owed: 5, received: 0 };
  await change("songs", { id: id(number) }, { owedSince, ...counts });
}

/** Another song like the one of that number. */
async function copy(number: number, changes: Partial<typeof songs.$inferInsert>): Promise<void> {
  const like = await row("songs", { id: id(number) });
  await db.insert(songs).values({ ...like, ...changes });
}

const windows = () => rows("poolWindows");

test("what the walk remembers changes nothing about what is found", async () => {
  await putInRotation(1, 1000);
  for (const [first, last] of [
    [1, 40],
    [44, 90],
    [100, 560],
  ] as const) {
    await rateSongs(user, first, last);
  }
  await look();
  expect(await windows()).toMatchObject([{ seenTo: 698 * minute - 1 }]);

  async function expectSame(): Promise<void> {
    const found = await pool();
    expect(found).toEqual(await poolFromTheStart());
    expect(found).toHaveLength(150);
    const broken = await findViolations(env.DB);
    expect(
      broken.filter(({ name }) => withoutSubmissions.some((one) => one.name === name)),
    ).toEqual([]);
  }
  await expectSame();
  // Of those waiting some are rated, some filled by others, one of them submitted again.
  await rateSongs(user, 41, 42);
  await setDue(91, null);
  await setDue(92, 1000 * minute + 1);
  await setDue(93, 150 * minute);
  await expectSame();
  await look();
  await expectSame();
  // One that was filled before is submitted again, by a clock that is a little slow.
  await putInRotation(1001, 1300);
  await setDue(91, 1300 * minute - 59_000);
  await look();
  await expectSame();
  // The user submits what is waiting, too.
  await copy(94, { id: "own", ownerId: user.id });
  await expectSame();
});

test("somebody who has rated thousands that wait for more looks at as few rows as anybody", async () => {
  await putInRotation(1, 4000);
  await rateSongs(user, 1, 3000);
  expect(await look()).toBeGreaterThan(6000);
  expect(await look()).toBeLessThan(700);
  expect(await look({ draws: false })).toBeLessThan(700);
});

test("nor does somebody who has rated them all walk past them each time", async () => {
  await putInRotation(1, 1000);
  await rateSongs(user, 1, 1000);
  expect(await look()).toBeGreaterThan(2000);
  expect(await look()).toBeLessThan(50);
});

test("whoever finds nothing walks far once, even where the page reads its own data again", async () => {
  await putInRotation(1, 1000);
  await rateSongs(user, 1, 1000);
  const cookie = await user.login();
  const keep = /^insert into "pool_windows"/i;
  const look = async () => {
    const headers = { Referer: `${env.APP_ORIGIN}/` };
    const looked = await measure(index.loader, { path: dataOf("/?index"), cookie, headers });
    return { rows: looked.rowsRead(), keeps: looked.statements.some(({ sql }) => keep.test(sql)) };
  };
  const first = await look();
  expect(first.rows).toBeGreaterThan(2000);
  const second = await look();
  expect(second.rows).toBeLessThan(50);
  expect([first.keeps, second.keeps]).toEqual([true, false]);
});

test("a song put in a little late is found by who has seen them all", async () => {
  await putInRotation(1, 500);
  await rateSongs(user, 1, 500);
  await look();
  expect(await pool()).toEqual([]);
  await copy(500, {
    ...{ id: "late", ownerId: (await someone()).id, trackId: "late", owed: 5, received: 0 },
    ...{ owedSince: 500 * minute - 59_000, lineSince: null },
  });
  expect(await pool()).toEqual(["late"]);
});

test("one song that is left makes no walk long that passes thousands behind it", async () => {
  await putInRotation(1, 4000);
  await rateSongs(user, 1, 100);
  await rateSongs(user, 102, 3000);
  expect(await look()).toBeGreaterThan(6000);
  expect(await pool()).toContain(id(101));
  expect(await look()).toBeLessThan(700);
});

test("a song that was passed on counts towards the price, unless it rests", async () => {
  await putInRotation(1, 1);
  const pass = { user_id: user.id, song_id: id(1), package_id: "p", slot: 1, reason: "taste" };
  await insert("passes", { id: "pass", ...pass, created_at: Date.now() - minute }).run();
  await change("users", { id: user.id }, { passedCount: 1 });
  expect(await user.pool()).toMatchObject({ available: 1 });
  await change("songs", {}, { restingSince: 1 });
  expect(await user.pool()).toMatchObject({ available: 0 });
});

test("nothing is kept for who has little to do with", async () => {
  await putInRotation(1, 400);
  await rateSongs(user, 1, 99);
  await look();
  expect(await windows()).toEqual([]);
});

/** Marks the first songs as rated with an account that the viewer has deleted. */
async function mark(count: number): Promise<void> {
  const departure_id = "d".repeat(43);
  await env.DB.prepare("DELETE FROM departures").run();
  await insert("departures", { id: departure_id, user_id: user.id, left_at: 0 }).run();
  for (let n = 1; n <= count; n += 1) {
    await insert("rating_marks", { departure_id, song_id: id(n) }).run();
  }
}

test("songs rated before the account was deleted are left out, however many they are", async () => {
  const read = async () => {
    const { eligible, available } = await user.pool();
    return { first: eligible[0]?.songId, eligible: eligible.length, available };
  };
  await putInRotation(1, 20);
  await mark(15);
  expect(await read()).toEqual({ first: id(16), eligible: 5, available: 5 });
  await putInRotation(21, 200);
  await mark(180);
  expect(await read()).toEqual({ first: id(181), eligible: 20, available: 20 });
});

test("a walk past them goes on from its window, until they can be rated again", async () => {
  await putInRotation(1, 200);
  await mark(100);
  await look();
  expect((await row("poolWindows")).seenTo).toBeGreaterThanOrEqual(100 * minute);
  expect(await pool()).toContain(id(101));
  await purgeExpired(db, Date.now());
  expect(await pool()).toContain(id(1));
});

function renameTo(displayName: string) {
  return change("users", { id: user.id }, { displayName });
}

test("songs that credit the viewer make a full pool no scarcer either", async () => {
  await putInRotation(1, 200);
  await renameTo("An artist");
  expect(await user.pool()).toMatchObject({ eligible: [], available: 150 });
});

test.each([
  {
    what: "were rated",
    empty: () => rateSongs(user, 1, 200),
    says: ["You have heard everything.", "You can submit a song now."],
  },
  {
    what: "were rated with an account deleted since",
    empty: () => mark(200),
    says: ["No songs available to rate", "You can submit a song now."],
  },
  {
    what: "credit the viewer",
    empty: () => renameTo("An artist"),
    says: ["No songs available to rate", " more, then yours, once more songs have come in."],
  },
])(
  "whoever finds more songs than are looked at, which all $what, reads of none to rate",
  async (row) => {
    await putInRotation(1, 200);
    await row.empty();
    // The second look begins at the window that the first one has kept.
    for (const _look of ["first", "second"]) {
      const page = await user.reads("/");
      for (const text of row.says) expect(page).toContain(text);
      expect(page).not.toMatch(/\d songs? to rate/);
    }
  },
);
