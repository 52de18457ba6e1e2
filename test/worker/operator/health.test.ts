import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { jobHours } from "~/operator/alarms";
import { whileWritesFail } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import { insert, makeSong, makeUser } from "../../support/database/factories";
import { putInRotation } from "../../support/database/rotation";
import { change, row, rows } from "../../support/database/rows";
import { answers, hides, shows, stored } from "../../support/expectations";
import { deliver, oweRating } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { song } from "../../support/people";
import { request } from "../../support/request";
import { daily, everyTenMinutes, runJobs } from "../../support/worker";

const missing = "Are the crons in";
const quiet = "Nothing in the log needs attention.";

/** A mail that was given up on. */
async function makeFailed(): Promise<string> {
  const id = await oweRating(await song());
  const fault = { fault: "500 <oops>", attempts: 10 };
  await change("outbox", { id }, { ...fault, state: "failed", mailId: id });
  return id;
}

test("the page says of every job when it ran, and what is to do about one that does not", async () => {
  const { page } = await makeOperator();
  const jobs = Object.keys(jobHours);
  expect((await page()).split(missing)).toHaveLength(jobs.length + 1);
  shows(await page(), "It should run within 26 h of going live.");
  await runJobs(everyTenMinutes);
  await runJobs(daily);
  expect((await rows("jobRuns")).map(({ job }) => job).sort()).toEqual(jobs.sort());
  hides(await page(), missing);
  await env.DB.prepare("UPDATE job_runs SET ran_at = ran_at - 3700000").run();
  shows(await page(), "It does not run.");
  // One runs once a day.
  expect((await page()).split(missing)).toHaveLength(jobs.length);
});

test("what waits stands first, with the way to each", async () => {
  const { page } = await makeOperator();
  await runJobs(everyTenMinutes);
  await runJobs(daily);
  shows(await page(), "Nothing waits for you.");
  await makeFailed();
  await change("songs", { id: (await song()).id }, { restingSince: Date.now() - 1000 });
  const text = await page();
  const links = [...text.matchAll(/<li><a href="(#\w+)">([^<]*)<\/a><\/li>/g)];
  expect(links.map(([, to, words]) => [to, words])).toEqual([
    ["#reports", "1 decision to make"],
    ["#failed", "1 mail that failed"],
  ]);
  for (const [, to = ""] of links) shows(text, `id="${to.slice(1)}"`);
});

test("a job that fails is red until it has run again", async () => {
  const { page } = await makeOperator();
  await whileWritesFail("INSERT", "community_figures", async () => {
    await expect(runJobs(everyTenMinutes)).rejects.toThrow();
  });
  shows(await page(), "It failed.");
  await runJobs(everyTenMinutes);
  hides(await page(), "It failed.");
});

test.each([
  ["stripe", "webhook_refused", "STRIPE_WEBHOOK_SECRET"],
  ["resend", "mail_webhook_refused", "RESEND_WEBHOOK_SECRET"],
])("events that %s did not sign are red, with what to do", async (from, name, mend) => {
  const { page } = await makeOperator();
  shows(await page(), quiet);
  for (const _event of [1, 2, 3, 4, 5]) {
    await answers(request(`/webhooks/${from}`, { body: "{}" }), 400);
  }
  await expect.poll(() => rows("dailyCounts")).toMatchObject([{ name, count: 5 }]);
  const text = await page();
  shows(text, `${name}: 5 today, 0 yesterday.`, mend);
});

test("codes that were refused to everybody, and many that were guessed, are red, with what to do", async () => {
  const { page } = await makeOperator();
  const day = new Date().toISOString().slice(0, 10);
  await insert("daily_counts", { day, name: "login_code_wrong", count: 49 }).run();
  shows(await page(), quiet);
  await change("dailyCounts", {}, { count: 50 });
  shows(await page(), "login_code_wrong: 50 today, 0 yesterday.");
  await insert("daily_counts", { day, name: "login_codes_full", count: 1 }).run();
  shows(await page(), "raise LOGIN_CODES_PER_DAY");
});

test("a mail that failed is sent again, once a press", async () => {
  const [mail, other] = [await makeFailed(), await makeFailed()];
  const { page, act } = await makeOperator();
  shows(await page(), "500 &lt;oops&gt;");
  for (const _press of [1, 2]) {
    await answers(act({ do: "send_again", mail }), 303);
  }
  await stored("operatorLog", { action: "send_again", target: mail });
  expect(await row("outbox", { id: other })).toMatchObject({ state: "failed", attempts: 10 });
  await deliver([mail]);
  expect(await row("outbox", { id: mail })).toMatchObject({ state: "sent" });
});

test("all mails that failed are sent again at once, and none where none has", async () => {
  const { act } = await makeOperator();
  await answers(act({ do: "send_again", mail: "all" }), 409);
  const mails = [await makeFailed(), await makeFailed()];
  const presses = await Promise.all([1, 2].map(() => act({ do: "send_again", mail: "all" })));
  expect(presses.map(({ status }) => status)).toContain(303);
  await row("operatorLog");
  expect(await rows("outbox", { state: "failed" })).toEqual([]);
  await deliver(mails);
  expect(await rows("outbox", { state: "sent" })).toHaveLength(2);
  await answers(act({ do: "send_again", mail: mails[0] ?? "" }), 409);
});

test("a mail that is due for hours is red", async () => {
  const { page } = await makeOperator();
  const id = await oweRating(await makeSong(await makeUser()), { notBefore: Date.now() - 1000 });
  hides(await page(), "Mails are overdue.");
  await change("outbox", { id }, { notBefore: 1 });
  const text = await page();
  shows(text, "Mails are overdue.");
  // No mail was owed when time began.
  hides(text, "1970");
});

test("the page reads as many rows however much there is, and fewer than 500", async () => {
  const { ask, bindings, user, act } = await makeOperator();
  async function rowsRead(): Promise<number> {
    const found = await act({ do: "look", person: user.id });
    const counting = countingDatabase(env.DB);
    const counted = { ...bindings, DB: counting.binding };
    const response = await ask(found.headers.get("Location") ?? "", { bindings: counted });
    expect(response.status).toBe(200);
    await response.text();
    return counting.rowsRead();
  }
  async function fill(count: number): Promise<void> {
    const numbers = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)";
    await env.DB.batch([
      env.DB.prepare(
        `${numbers}
         INSERT INTO reports (id, song_id, words, created_at)
         SELECT hex(randomblob(16)), (SELECT id FROM songs WHERE songs.rowid = 1 + n % 1000), '', n FROM n`,
      ).bind(count),
      env.DB.prepare(
        `UPDATE songs SET taken_out = 'x', resting_since = 1, decided_at = 1
         WHERE rowid IN (SELECT rowid FROM songs WHERE line_since IS NOT NULL LIMIT ?1)`,
      ).bind(count / 10),
      env.DB.prepare(
        `UPDATE songs SET resting_since = 2
         WHERE rowid IN (SELECT rowid FROM songs WHERE line_since IS NOT NULL LIMIT ?1)`,
      ).bind(count / 10),
      env.DB.prepare(
        `${numbers}
         INSERT INTO operator_log (id, operator, action, target, user_id, reason, created_at)
         SELECT hex(randomblob(16)), 'o', 'lock', 't', ?2, 'x', n FROM n`,
      ).bind(count, user.id),
      env.DB.prepare(
        `${numbers}
         INSERT INTO outbox (id, user_id, kind, subject_id, dedupe_key, created_at, mail_id, state, fault)
         SELECT 'mail-' || ?1 || '-' || n, ?2, 'past_due', n, 'mail-' || ?1 || '-' || n, n, 'mail-' || ?1 || '-' || n,
           iif(n % 2, 'failed', 'pending'), iif(n % 2, '500', NULL) FROM n`,
      ).bind(count, user.id),
    ]);
  }
  await putInRotation(1, 2000);
  await fill(500);
  const few = await rowsRead();
  await fill(1000);
  const many = await rowsRead();
  // Other songs and mails are the newest then, and some of them have more to read.
  expect(Math.abs(many - few)).toBeLessThanOrEqual(75);
  expect(many).toBeLessThan(500);
});
