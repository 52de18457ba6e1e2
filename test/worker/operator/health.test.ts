import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { jobHours } from "~/operator/alarms";
import { rowsOf, whileWritesFail } from "../../support/database/contents";
import { countingDatabase } from "../../support/database/counting-database";
import { insert, makeSong, makeUser } from "../../support/database/factories";
import { putInRotation } from "../../support/database/rotation";
import { deliver, oweRating } from "../../support/mails";
import { makeOperator } from "../../support/operator";
import { request } from "../../support/request";
import { daily, everyTenMinutes, runJobs } from "../../support/worker";

const missing = "Are the crons in";

/** A mail that was given up on. */
async function makeFailed(): Promise<string> {
  const id = await oweRating(await makeSong(await makeUser()));
  await env.DB.prepare(
    "UPDATE outbox SET state = 'failed', mail_id = id, attempts = 10, fault = '500 <oops>' WHERE id = ?",
  )
    .bind(id)
    .run();
  return id;
}

const states = "SELECT id, state, attempts FROM outbox ORDER BY id";

test("the page says of every job when it ran, and what is to do about one that does not", async () => {
  const { page } = await makeOperator();
  expect((await page()).split(missing)).toHaveLength(Object.keys(jobHours).length + 1);
  expect(await page()).toContain("It should run within 26 h of going live.");
  await runJobs(everyTenMinutes);
  await runJobs(daily);
  expect(await rowsOf("SELECT job FROM job_runs ORDER BY job")).toEqual(
    Object.keys(jobHours)
      .sort()
      .map((job) => ({ job })),
  );
  expect(await page()).not.toContain(missing);
  await env.DB.prepare("UPDATE job_runs SET ran_at = ran_at - 3700000").run();
  expect(await page()).toContain("It does not run.");
  // One runs once a day.
  expect((await page()).split(missing)).toHaveLength(Object.keys(jobHours).length);
});

test("what waits stands first, with the way to each", async () => {
  const { page } = await makeOperator();
  await runJobs(everyTenMinutes);
  await runJobs(daily);
  expect(await page()).toContain("Nothing waits for you.");
  await makeFailed();
  const song = await makeSong(await makeUser());
  await env.DB.prepare("UPDATE songs SET resting_since = ? WHERE id = ?")
    .bind(Date.now() - 1000, song.id)
    .run();
  const text = await page();
  const links = [...text.matchAll(/<li><a href="(#\w+)">([^<]*)<\/a><\/li>/g)];
  expect(links.map(([, to, words]) => [to, words])).toEqual([
    ["#reports", "1 song to decide about"],
    ["#failed", "1 mail that failed"],
  ]);
  for (const [, to = ""] of links) expect(text).toContain(`id="${to.slice(1)}"`);
});

test("a job that fails is red until it has run again", async () => {
  const { page } = await makeOperator();
  await whileWritesFail("INSERT", "community_figures", async () => {
    await expect(runJobs(everyTenMinutes)).rejects.toThrow();
  });
  expect(await page()).toContain("It failed.");
  await runJobs(everyTenMinutes);
  expect(await page()).not.toContain("It failed.");
});

test("what the log has that asks for something to be done is red, with what", async () => {
  const { page } = await makeOperator();
  expect(await page()).toContain("Nothing in the log needs attention.");
  for (const _event of [1, 2, 3, 4, 5]) {
    expect((await request("/webhooks/stripe", { body: "{}" })).status).toBe(400);
  }
  await expect
    .poll(() => rowsOf("SELECT name, count FROM daily_counts"))
    .toEqual([{ name: "webhook_refused", count: 5 }]);
  const text = await page();
  expect(text).toContain("webhook_refused: 5 today, 0 yesterday.");
  expect(text).toContain("STRIPE_WEBHOOK_SECRET");
});

test("codes that were refused to everybody, and many that were guessed, are red, with what to do", async () => {
  const { page } = await makeOperator();
  const day = new Date().toISOString().slice(0, 10);
  await insert("daily_counts", { day, name: "login_code_wrong", count: 49 }).run();
  expect(await page()).toContain("Nothing in the log needs attention.");
  await env.DB.prepare("UPDATE daily_counts SET count = 50").run();
  const text = await page();
  expect(text).toContain("login_code_wrong: 50 today, 0 yesterday.");
  await insert("daily_counts", { day, name: "login_codes_full", count: 1 }).run();
  expect(await page()).toContain("raise LOGIN_CODES_PER_DAY");
});

test("events about mails that Resend did not sign are red, with what to do", async () => {
  const { page } = await makeOperator();
  for (const _event of [1, 2, 3, 4, 5]) {
    expect((await request("/webhooks/resend", { body: "{}" })).status).toBe(400);
  }
  await expect
    .poll(() => rowsOf("SELECT name, count FROM daily_counts"))
    .toEqual([{ name: "mail_webhook_refused", count: 5 }]);
  expect(await page()).toContain("RESEND_WEBHOOK_SECRET");
});

test("a mail that failed is sent again, once a press", async () => {
  const [mail, other] = [await makeFailed(), await makeFailed()];
  const { page, act } = await makeOperator();
  expect(await page()).toContain("500 &lt;oops&gt;");
  for (const _press of [1, 2]) {
    expect((await act({ do: "send_again", mail })).status).toBe(303);
  }
  expect(await rowsOf("SELECT action, target FROM operator_log")).toEqual([
    { action: "send_again", target: mail },
  ]);
  expect(await rowsOf(states)).toContainEqual({ id: other, state: "failed", attempts: 10 });
  await deliver([mail]);
  expect(await rowsOf("SELECT state FROM outbox WHERE id = ?", mail)).toEqual([{ state: "sent" }]);
});

test("all mails that failed are sent again at once, and none where none has", async () => {
  const { act } = await makeOperator();
  expect((await act({ do: "send_again", mail: "all" })).status).toBe(409);
  const mails = [await makeFailed(), await makeFailed()];
  const presses = await Promise.all([1, 2].map(() => act({ do: "send_again", mail: "all" })));
  expect(presses.map(({ status }) => status)).toContain(303);
  expect(await rowsOf("SELECT action FROM operator_log")).toHaveLength(1);
  expect(await rowsOf("SELECT id FROM outbox WHERE state = 'failed'")).toEqual([]);
  await deliver(mails);
  expect(await rowsOf("SELECT DISTINCT state FROM outbox")).toEqual([{ state: "sent" }]);
  expect((await act({ do: "send_again", mail: mails[0] ?? "" })).status).toBe(409);
});

test("a mail that is due for hours is red", async () => {
  const { page } = await makeOperator();
  const id = await oweRating(await makeSong(await makeUser()), { notBefore: Date.now() - 1000 });
  expect(await page()).not.toContain("Mails are overdue.");
  await env.DB.prepare("UPDATE outbox SET not_before = 1 WHERE id = ?").bind(id).run();
  const text = await page();
  expect(text).toContain("Mails are overdue.");
  // No mail was owed when time began.
  expect(text).not.toContain("1970");
});

test("the page reads as many rows however much there is, and fewer than 500", async () => {
  const { cookie, bindings, user, act } = await makeOperator();
  async function rowsRead(): Promise<number> {
    const found = await act({ do: "look", person: user.id });
    const counting = countingDatabase(env.DB);
    const asked = { cookie, bindings: { ...bindings, DB: counting.binding } };
    const response = await request(found.headers.get("Location") ?? "", asked);
    expect(response.status).toBe(200);
    await response.text();
    return counting.rowsRead();
  }
  async function fill(count: number): Promise<void> {
    await env.DB.batch([
      env.DB.prepare(
        `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
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
        `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
         INSERT INTO operator_log (id, operator, action, target, user_id, reason, created_at)
         SELECT hex(randomblob(16)), 'o', 'lock', 't', ?2, 'x', n FROM n`,
      ).bind(count, user.id),
      env.DB.prepare(
        `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
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
  expect(Math.abs(many - few)).toBeLessThanOrEqual(50);
  expect(many).toBeLessThan(500);
});
