import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { refreshCommunity } from "~/exchange/community/community.server";
import { countDays, daysUntil } from "~/operator/counting";
import type { DailyFigures } from "~/operator/figures";
import { selectFigures, toFigures, writeFigures } from "~/operator/operation.server";
import { dayOf } from "~/platform/dates";
import { rowsOf } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import {
  insert,
  makeListen,
  makePackage,
  makeRating,
  makeSong,
  makeUser,
  unique,
} from "../../support/database/factories";
import { failingDatabase } from "../../support/faults/failing-database";
import { makeMember } from "../../support/login";
import { addressOf, deliver, letTimePass, owe, oweRating } from "../../support/mails";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { everyTenMinutes, runJobs } from "../../support/worker";

const db = createDatabase(env.DB);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** The first moment of the day that is counted. */
const start = Date.UTC(2026, 5, 15);
/** When it is counted for the last time. */
const over = start + day + hour;

/** Runs the job. @returns the figures of the last days, the last one first. */
async function count(at: number, binding = env.DB): Promise<DailyFigures[]> {
  const its = createDatabase(binding);
  await refreshCommunity(its, at, writeFigures(its, at));
  return toFigures(await selectFigures(db, at), at).toReversed();
}

/** A line of the log. */
async function log(at: number, kind: "login" | "submission") {
  const [user, song] = [await makeUser(), unique("song")];
  const row = { user_id: user.id, song_id: song };
  await insert("activity_log", { id: unique("line"), kind, ...row, created_at: at }).run();
}

async function pass(at: number): Promise<void> {
  const [user, song] = [await makeUser(), await makeSong(await makeUser())];
  const row = { user_id: user.id, song_id: song.id, package_id: unique("package"), slot: 1 };
  const what = { id: unique("pass"), reason: "taste", created_at: at };
  await env.DB.batch([
    insert("passes", { ...row, ...what }),
    env.DB.prepare("UPDATE users SET passed_count = 1 WHERE id = ?").bind(user.id),
  ]);
}

/** A song whose five ratings have come in, after so many milliseconds. */
async function keep(at: number, took: number): Promise<void> {
  const song = await makeSong(await makeUser(), { submittedAt: [at - took] });
  for (let n = 0; n < 5; n += 1) await makeRating(await makeUser(), song, { at });
}

const inPassing =
  (name: Parameters<typeof countEvent>[1]) =>
  async (at: number): Promise<void> => {
    await countEvent(db, name, at);
  };

const events: Partial<Record<keyof DailyFigures, (at: number) => Promise<unknown>>> = {
  logins: (at) => log(at, "login"),
  listens: async (at) =>
    makeListen(await makeUser(), await makeSong(await makeUser()), { startedAt: at }),
  ratings: async (at) => makeRating(await makeUser(), await makeSong(await makeUser()), { at }),
  passes: pass,
  submissions: (at) => log(at, "submission"),
  emptyVisits: inPassing("empty_visits"),
  mailsSent: inPassing("mails_sent"),
  mailsFailed: inPassing("mails_failed"),
  jobsFailed: inPassing("jobs_failed"),
};

test.each(Object.entries(events))(
  "of a day its %s are counted, from its first moment to its last",
  async (name, happen) => {
    for (const at of [start - 1, start, start + day - 1, start + day]) await happen?.(at);
    const [after, figures, ...before] = await count(over);
    expect(figures).toMatchObject({ day: "2026-06-15", [name]: 2 });
    expect(after).toMatchObject({ day: "2026-06-16", [name]: 1 });
    // The job leaves days before yesterday as they are.
    expect(before[0]).toMatchObject({ day: "2026-06-14", [name]: null });
    expect(await count(over + day)).toContainEqual(figures);
  },
);

test("of a day it is counted how long half and nine of ten of the promises took that were kept, in hours begun", async () => {
  await keep(start + day, 50 * hour + 1);
  const [one, none] = await count(over);
  expect(one).toMatchObject({ halfHours: 51, nineTenthsHours: 51 });
  expect(none).toMatchObject({ halfHours: null, nineTenthsHours: null, ratings: 0 });
  await env.DB.prepare("DELETE FROM daily_stats").run();
  for (let n = 1; n <= 9; n += 1) await keep(start + n * hour, n * hour);
  await keep(start + day - 1, 50 * hour + 1);
  await keep(start - 1, 500 * hour);
  const [, figures] = await count(over);
  expect(figures).toMatchObject({ halfHours: 5, nineTenthsHours: 9 });
});

test("the figures of a moment are the ratings owed to songs in rotation as the day began, in line or behind it, but not to those that rest", async () => {
  const owner = await makeUser();
  const songs = [];
  for (let n = 0; n < 4; n += 1) songs.push(await makeSong(owner, { received: n }));
  await env.DB.prepare("UPDATE songs SET resting_since = 1 WHERE id = ?").bind(songs[0]?.id).run();
  const [today] = await count(over);
  expect(today).toMatchObject({ owed: 4 + 3 + 2 });
  // Once a day, because every song in rotation is read.
  await makeSong(owner);
  const [hourLater] = await count(over + hour);
  expect(hourLater).toMatchObject({ owed: 4 + 3 + 2 });
});

test("the figures of a moment are the mails that are due or were tried, and not the ratings that gather", async () => {
  const [waiting, gathering] = [await makeSong(await makeUser()), await makeSong(await makeUser())];
  // Two in one mail.
  for (let n = 0; n < 2; n += 1) await oweRating(waiting);
  for (let n = 0; n < 2; n += 1) await oweRating(gathering, { notBefore: over + 1 });
  const tried = await owe((await makeUser()).id, "past_due", "customer", over + hour);
  await env.DB.prepare("UPDATE outbox SET mail_id = id WHERE id = ?").bind(tried).run();
  await owe((await makeUser()).id, "past_due");
  const [today] = await count(over);
  expect(today).toMatchObject({ mailsWaiting: 3 });
});

test("the figures of a moment are the members with premium, those included whose payment is overdue, and stay as they were", async () => {
  for (const tier of ["free", "premium", "past_due"] as const) await makeUser({ tier });
  const [today] = await count(start + day - minute);
  expect(today).toMatchObject({ premiumMembers: 2, owed: 0, mailsWaiting: 0 });
  await makeUser({ tier: "premium" });
  const [after, figures] = await count(over);
  expect([figures?.premiumMembers, after?.premiumMembers]).toEqual([2, 3]);
});

test("the job counts a day once an hour, and for the last time when it is over", async () => {
  const logins = async (at: number) => {
    const all = await count(at);
    return all.find((one) => one.day === dayOf(start))?.logins;
  };
  await log(start, "login");
  expect(await logins(start + hour)).toBe(1);
  await log(start, "login");
  expect(await logins(start + 2 * hour - 10 * minute)).toBe(1);
  expect(await logins(start + 2 * hour)).toBe(2);
  await logins(start + day - 30 * minute);
  await log(start, "login");
  // Just after its end, and then again: what was on its way is there by then.
  expect(await logins(start + day)).toBe(2);
  expect(await logins(start + day + 30 * minute)).toBe(3);
  await log(start, "login");
  expect(await logins(start + day + 5 * hour)).toBe(3);
});

test("the job needs no round trip beside those that count for the community's figures", async () => {
  await count(over);
  const counting = countingDatabase(env.DB);
  await count(over + hour, counting.binding);
  expect(counting.roundTrips()).toBe(3);
});

test("the job reads what happened that day, and what is owed, however much lies before", async () => {
  const rowsRead = async (at: number) => {
    const counting = countingDatabase(env.DB);
    await runBatch(createDatabase(counting.binding), writeFigures(db, at));
    return counting.rowsRead();
  };
  const few = await rowsRead(over);
  for (let n = 1; n <= 5; n += 1) {
    for (const happen of Object.values(events)) await happen?.(start - n * day);
    await keep(start - n * day, hour);
    await count(start - n * day);
  }
  await env.DB.batch([
    env.DB.prepare("UPDATE songs SET resting_since = 1 WHERE owed > 0"),
    env.DB.prepare("DELETE FROM daily_stats WHERE day >= ?").bind(dayOf(start)),
  ]);
  expect(await rowsRead(over)).toBe(few);
  // Where nothing is due, it looks at the two days alone.
  expect(await rowsRead(over + 10 * minute)).toBeLessThan(10);
});

test("the operator's page reads the last thirty days alone", async () => {
  await env.DB.exec(countDays(daysUntil(over, 100), over).replaceAll("\n", " "));
  const counting = countingDatabase(env.DB);
  const found = await runBatch(
    createDatabase(counting.binding),
    selectFigures(createDatabase(counting.binding), over),
  );
  expect(toFigures(found, over).map(({ day }) => day)).toEqual(daysUntil(over, 30));
  expect(counting.rowsRead()).toBe(30);
});

test("days that are counted again are as they were, but for what only stood then", async () => {
  await log(start + hour, "login");
  await makeUser({ tier: "premium" });
  await count(start + 2 * hour);
  await count(over);
  const rebuild = () => env.DB.exec(countDays([dayOf(start)], over + day).replaceAll("\n", " "));
  const before = await count(over + hour);
  await rebuild();
  expect(await count(over + hour)).toEqual(before);
  await env.DB.prepare("DELETE FROM daily_stats").run();
  await rebuild();
  expect(toFigures(await selectFigures(db, over), over).at(-2)).toMatchObject({
    ...{ logins: 1, listens: 0, mailsSent: 0, owed: null, mailsWaiting: null },
    premiumMembers: null,
  });
});

async function counts(): Promise<unknown> {
  // Beside what is worth an alarm.
  const { results } = await env.DB.prepare(
    "SELECT name, count FROM daily_counts WHERE name IN ('empty_visits', 'mails_sent', 'mails_failed', 'jobs_failed')",
  ).all();
  return Object.fromEntries(results.map(({ name, count }) => [name, count]));
}

test("a visit that found no song is counted, but neither one that found some nor a page that reads itself again", async () => {
  const { user, cookie } = await makeMember();
  await request("/", { cookie });
  await request("/", { cookie });
  const headers = { Referer: "http://127.0.0.1:8787/" };
  await request("/?_data=routes%2F_index", { cookie, headers });
  const song = await makeSong(await makeUser());
  await makePackage(user, [song]);
  await request("/", { cookie });
  expect(await counts()).toEqual({ empty_visits: 2 });
});

test("each mail is counted once that was sent, that failed, or that the queue gave up on, and not each rating in it", async () => {
  const [owner, refused] = [await makeUser(), await makeUser()];
  const song = await makeSong(owner);
  const owed = async () => owe((await makeUser()).id, "past_due");
  const ids = [
    await oweRating(song),
    await oweRating(song),
    await owe(refused.id, "premium_ended"),
  ];
  await control("mailRefuse", { to: addressOf(refused) });
  for (let n = 0; n < 2; n += 1) await deliver(ids);
  expect(await counts()).toEqual({ mails_sent: 1, mails_failed: 1 });
  const dead = [await owed(), await owed()];
  await env.DB.prepare(
    "UPDATE outbox SET mail_id = id, attempts = 10 WHERE state = 'pending'",
  ).run();
  for (let n = 0; n < 2; n += 1) await deliver(dead, {}, "fivefold-outbox-dead");
  expect(await counts()).toEqual({ mails_sent: 1, mails_failed: 3 });
});

test("each job that failed is counted, and its last run and failure are noted", async () => {
  const broken = failingDatabase(env.DB, (sql) =>
    sql.includes("songs_rated_this_week") ? "refused" : "fine",
  );
  const runs = async () =>
    rowsOf("SELECT job, failed_at = ran_at AS failed FROM job_runs ORDER BY job");
  const others = [
    "fileDeletions",
    "files",
    "mixWishes",
    "monthlyLook",
    "outbox",
    "releases",
    "reports",
    "retention",
    "rounds",
    "songWishes",
    "terms",
    "tints",
  ];
  const fine = others.map((job) => ({ job, failed: null }));
  await expect(runJobs(everyTenMinutes, { ...env, DB: broken })).rejects.toThrow("failed");
  expect(await runs()).toEqual([{ job: "community", failed: 1 }, ...fine]);
  expect(await counts()).toEqual({ jobs_failed: 1 });
  await letTimePass();
  await runJobs(everyTenMinutes);
  expect(await runs()).toEqual([{ job: "community", failed: 0 }, ...fine]);
  expect(await counts()).toEqual({ jobs_failed: 1 });
});
