/** Round trips to the database, and statements that would scan a table. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { syncDueSubscriptions } from "~/premium/daily-sync.server";
import type { Billing } from "~/premium/stripe.server";
import type { Action } from "../../support/actions/action";
import { actions, jobs, pages } from "../../support/actions/actions";
import { makeListener } from "../../support/actions/world";
import { budgets } from "../../support/budgets";
import { skipWaits } from "../../support/clock";
import { type CountingDatabase, countingDatabase } from "../../support/database/counting-database";
import { makeSong, makeUser } from "../../support/database/factories";
import { type Answer, ask, type Caller, type Surroundings } from "../../support/faults/run";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliver, failMails, owe, oweRating, oweSubmission } from "../../support/mails";
import { control } from "../../support/sandbox";

const musician = "quentin-lafosse-dray";

interface Step {
  detail: string;
}

/** The names under which a statement's own subqueries appear in its plan. */
function subqueries(plan: Step[]): string[] {
  return plan.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
}

/**
 * What may be walked: constant rows, VALUES and lists given as JSON, which are no tables; the tables with a
 * row for each app registered at Spotify and for each job; and indexes of what is still to be done or
 * decided, of whose end the operator's page reads a fixed number, or whose sizes it sums up.
 */
const walked = [
  ...["CONSTANT ROW", "\\d+ CONSTANT ROWS", "\\d+-ROW VALUES CLAUSE", "json_each"],
  ...["spotify_waits", "job_runs"],
  ...[
    ...[
      "reports_unmailed",
      "reports_open",
      "notices_open",
      "notices_unmailed",
      "outbox_failed",
      "songs_unplayable",
      "songs_out",
    ],
    "songs_without_tint",
    ...["operator_log_time", "submission_locks_time", "recordings_files"],
  ].map((index) => `\\S+ USING (COVERING )?INDEX ${index}`),
];
const mayScan = new RegExp(`^SCAN (${walked.join("|")})`);

/** The steps that scan a whole table or index. A statement's own subqueries have their steps in the plan. */
function scans(plan: Step[]): string[] {
  const own = subqueries(plan);
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, scanned = ""] = /^SCAN (\S+)/.exec(detail) ?? [];
      return scanned !== "" && !own.includes(scanned) && !mayScan.test(detail);
    });
}

async function explain(sql: string, params: unknown[] = []): Promise<Step[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...params)
    .all<Step & Record<string, unknown>>();
  return results;
}

async function expectNoScans({ statements }: CountingDatabase): Promise<void> {
  expect(statements.length).toBeGreaterThan(0);
  for (const { sql, params } of statements) {
    expect({ sql, scans: scans(await explain(sql, params)) }).toEqual({ sql, scans: [] });
  }
}

/** Lets the Worker do something, and looks at every statement. @returns its round trips. */
async function costOf({ prepare, status = 200 }: Action, caller: Caller): Promise<number> {
  const { act, shows = /^/ } = await prepare(musician);
  const { counting, answer } = await counted((around) => act(around, caller));
  if (answer) expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(shows)]);
  const trips = counting.roundTrips();
  await expectNoScans(counting);
  return trips;
}

async function counted(run: (around: Surroundings) => Promise<Answer | undefined>) {
  const counting = countingDatabase(env.DB);
  const answer = await run({ ...env, DB: counting.binding });
  return { counting, answer };
}

/** The round trips of a request. */
async function tripsOf(path: string, question: Parameters<typeof ask>[3] = {}): Promise<number> {
  const { counting, answer } = await counted((around) => ask(around, path, "program", question));
  expect(answer?.status).toBe(200);
  return counting.roundTrips();
}

test.each(pages)(
  "$name keeps its budget of round trips, and scans no table or index",
  async (page) => {
    expect(await costOf(page, "person")).toBeLessThanOrEqual(budgets.trips.page);
  },
);

test.each(actions)(
  "$name keeps its budget of round trips, and scans no table or index",
  async (action) => {
    skipWaits();
    const trips = await costOf(action, "program");
    expect(trips).toBeGreaterThan(0);
    expect(trips).toBeLessThanOrEqual(budgets.trips.action);
  },
);

test.each(jobs)("$name scans no table or index", async (job) => {
  await costOf(job, "program");
});

test("a carousel whose package is open, and a visitor's page, take one round trip", async () => {
  const { cookie } = await makeListener(musician);
  expect(await tripsOf("/", { cookie })).toBe(1);
  expect(await tripsOf("/")).toBe(1);
});

test("the hourly renewal of the token takes two more, and only if Spotify is asked", async () => {
  const { song, cookie } = await makeListener(musician);
  const play = (form: Record<string, string>) =>
    tripsOf(`/songs/${song.id}/play`, { cookie, form });
  await env.DB.prepare("UPDATE sessions SET token_expires_at = ?")
    .bind(Date.now() + 60_000)
    .run();
  expect(await tripsOf("/", { cookie })).toBe(1);
  expect(await play({ deviceId: "browser" })).toBe(budgets.trips.action);
  // Spotify is also asked when a song is played again before it was heard.
  await env.DB.prepare("DELETE FROM listens WHERE closed_at IS NULL").run();
  await control("openApp", { musician });
  expect(await play({})).toBe(budgets.trips.action + 2);
  // The token has been renewed for the next hour.
  expect(await tripsOf("/player/token", { cookie })).toBe(1);
});

test("sending, postponing and failing some mails of each kind scans no table or index", async () => {
  const ids: string[] = [];
  for (const fault of [null, { status: 500 }, { status: 422 }]) {
    const user = await makeUser();
    const song = await makeSong(user);
    if (fault) await failMails(addressOf(user), { ...fault, times: 3 });
    ids.push(await oweRating(song), await oweRating(song), await oweSubmission(song));
    ids.push(await owe(user.id, "premium_ended"), await owe(user.id, "confirmation"));
  }
  const counting = countingDatabase(env.DB);
  await deliver(ids, { DB: counting.binding });
  await expectNoScans(counting);
  // Claiming; three for the facts in all mails; one for who has unsubscribed; marking the skipped ones;
  // saving the rendered ones; marking each as sent or failed; counting that some have failed.
  expect(counting.roundTrips()).toBe(1 + 3 + 1 + 3 + 1 + 3 * 3 + 1);
});

test("the daily choice of subscriptions to check scans no table or index", async () => {
  const counting = countingDatabase(env.DB);
  const nobody = {} as Billing;
  const services = { billing: nobody, mailQueue: noteQueued(), now: Date.now };
  await syncDueSubscriptions({ db: createDatabase(counting.binding), ...services });
  expect(counting.statements).toHaveLength(3);
  await expectNoScans(counting);
});

test("a statement that would scan one is found", async () => {
  const guilty = [
    "SELECT * FROM songs",
    "SELECT * FROM songs ORDER BY owed_since LIMIT 150",
    "SELECT count(*) FROM ratings",
    "SELECT * FROM users WHERE email = 'x'",
    "SELECT * FROM (SELECT * FROM ratings ORDER BY score LIMIT 3) AS last JOIN songs ON title = 'x'",
    "DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE display_name = 'x')",
  ];
  for (const sql of guilty) {
    expect({ sql, found: scans(await explain(sql)).length > 0 }).toEqual({ sql, found: true });
  }
});
