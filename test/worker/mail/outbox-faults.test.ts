import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { MailError } from "~/adapters/mail/mailer";
import { createDatabase } from "~/db/client.server";
import { baseTime, makeSong, makeUser } from "../../support/database/factories";
import { findViolations } from "../../support/database/invariants";
import { type Fate, failingDatabase } from "../../support/faults/failing-database";
import {
  addressOf,
  consume,
  deliver,
  failMails,
  letTimePass,
  mailRow,
  mailsTo,
  oweRating,
  postsTo,
  stubMailer,
} from "../../support/mails";
import { control } from "../../support/sandbox";

async function owed() {
  const owner = await makeUser();
  return { to: addressOf(owner), id: await oweRating(await makeSong(owner)) };
}

/** What was posted under which key, without the times. */
async function payloads(to: string): Promise<unknown[]> {
  return (await postsTo(to)).map(({ body, headers }) => ({ body, headers }));
}

/** The mail goes out at last, once, and nothing is broken. */
async function expectSentOnce(id: string, to: string): Promise<void> {
  await letTimePass();
  expect(await deliver([id])).toEqual(["done"]);
  expect(await mailRow(id)).toMatchObject({ state: "sent", fault: null, subject: null });
  expect(await mailsTo(to)).toHaveLength(1);
  expect(await findViolations(env.DB)).toEqual([]);
}

test("a mail that cannot be rendered holds up no other, and is given up in the end", async () => {
  const [broken, fine] = [await owed(), await owed()];
  const song = `SELECT song_id FROM ratings WHERE id =
    (SELECT subject_id FROM outbox WHERE id = '${broken.id}')`;
  await env.DB.prepare(`UPDATE songs SET artists = 'no JSON' WHERE id = (${song})`).run();
  expect(await deliver([broken.id, fine.id])).toEqual([300, "done"]);
  expect(await mailsTo(fine.to)).toHaveLength(1);
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    await letTimePass();
    expect(await deliver([broken.id])).toEqual([300]);
  }
  await letTimePass();
  expect(await deliver([broken.id])).toEqual(["done"]);
  expect(await mailRow(broken.id)).toMatchObject({ state: "failed" });
  expect(await mailsTo(broken.to)).toEqual([]);
});

describe("the database fails while a mail is sent:", () => {
  // Claiming; what the mails tell; what nobody wants; keeping it as rendered; marking it as sent.
  const steps = [1, 2, 3, 4, 5];
  const fates: Fate[] = ["refused", "lost"];
  test.each(steps.flatMap((step) => fates.map((fate) => ({ step, fate }))))(
    "call $step is $fate, and there is one mail in the end",
    async ({ step, fate }) => {
      const { id, to } = await owed();
      let failed = 0;
      const DB = failingDatabase(env.DB, (_, call) => {
        if (call !== step) return "fine";
        failed += 1;
        return fate;
      });
      const [outcome] = await deliver([id], { DB });
      expect(failed).toBe(1);
      // What cannot be read, or kept, for all mails at once is for each alone; where the preference
      // cannot be read the mail is sent.
      const again = { 1: 60, 5: 300 }[step];
      expect(outcome).toBe(again ?? "done");
      expect(await mailsTo(to)).toHaveLength(step === 1 ? 0 : 1);
      await expectSentOnce(id, to);
    },
  );

  test("what a mail tells cannot be read at all: it waits, and goes out in the end", async () => {
    const { id, to } = await owed();
    const DB = failingDatabase(env.DB, (_, call) => (call === 1 ? "fine" : "refused"));
    expect(await deliver([id], { DB })).toEqual([300]);
    expect(await mailsTo(to)).toEqual([]);
    await expectSentOnce(id, to);
  });

  test("there is no sixth", async () => {
    const { id } = await owed();
    let calls = 0;
    const DB = failingDatabase(env.DB, (_, call) => {
      calls = call;
      return "fine";
    });
    expect(await deliver([id], { DB })).toEqual(["done"]);
    expect(calls).toBe(steps.length);
  });

  test("a claim whose answer was lost holds, and lapses", async () => {
    const { id, to } = await owed();
    const lost = createDatabase(failingDatabase(env.DB, () => "lost"));
    expect(await consume([id], { db: lost, now: () => baseTime })).toEqual([60]);
    expect(await consume([id], { now: () => baseTime + 60_000 })).toEqual([240]);
    expect(await mailsTo(to)).toEqual([]);
    expect(await consume([id], { now: () => baseTime + 300_000 })).toEqual(["done"]);
    expect(await mailsTo(to)).toHaveLength(1);
  });

  test.each(["refused", "lost"] as const)(
    "giving a mail back that was not taken is %s",
    async (fate) => {
      const { id, to } = await owed();
      await failMails(to, { status: 500 });
      const DB = failingDatabase(env.DB, (sql) => (sql.includes('"fault" = ?') ? fate : "fine"));
      expect(await deliver([id], { DB })).toEqual([300]);
      expect(await mailRow(id)).toMatchObject({ state: "pending" });
      await expectSentOnce(id, to);
    },
  );
});

describe("the consumer dies after the provider took the mail:", () => {
  test("the next one sends the very same under the same key, and there is one mail", async () => {
    const { id, to } = await owed();
    const DB = failingDatabase(env.DB, (sql) => (sql.includes('"sent_at"') ? "refused" : "fine"));
    expect(await deliver([id], { DB })).toEqual([300]);
    expect(await mailsTo(to)).toHaveLength(1);
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 1, to });
    // What has changed in the meantime is not in it.
    await env.DB.prepare("UPDATE songs SET title = 'Another title'").run();
    await expectSentOnce(id, to);
    const [first, second, ...more] = await payloads(to);
    expect(first).toMatchObject({ headers: { "idempotency-key": expect.any(String) } });
    expect([second, more]).toEqual([first, []]);
  });

  test("so it is where only the answer is lost", async () => {
    const { id, to } = await owed();
    await control("mailLoseAnswer", { musician: to });
    expect(await deliver([id])).toEqual([30]);
    expect(await mailRow(id)).toMatchObject({ state: "pending", fault: "unreachable" });
    expect(await mailsTo(to)).toHaveLength(1);
    await expectSentOnce(id, to);
    const [first, second, ...more] = await payloads(to);
    expect([second, more]).toEqual([first, []]);
  });

  test("and nothing of it can be told any more: the key alone stands for it", async () => {
    const { id, to } = await owed();
    await control("mailLoseAnswer", { musician: to });
    await deliver([id]);
    await env.DB.prepare("UPDATE outbox SET subject = 'Another subject'").run();
    await expectSentOnce(id, to);
    expect(await postsTo(to)).toHaveLength(2);
  });
});

describe("the provider", () => {
  test.each([
    { fault: { status: 500 }, told: "500 internal_server_error" },
    { fault: { status: 503 }, told: "503 internal_server_error" },
    { fault: { status: 500, body: "<html>" }, told: "500" },
    { fault: { status: 0 }, told: "unreachable" },
    { fault: { error: "invalid_api_key" }, told: "403 invalid_api_key" },
    { fault: { error: "invalid_from_address" }, told: "422 invalid_from_address" },
  ])("that fails ($told) gets the mail again after half a minute", async ({ fault, told }) => {
    const { id, to } = await owed();
    await failMails(to, fault);
    expect(await deliver([id])).toEqual([30]);
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 1, fault: told, to });
    expect(await mailsTo(to)).toEqual([]);
    await expectSentOnce(id, to);
  });

  test.each([
    { fault: { status: 429, retryAfter: 7 }, wait: 7 },
    { fault: { status: 429 }, wait: 30 },
    { fault: { error: "daily_quota_exceeded" }, wait: 3600 },
    { fault: { error: "monthly_quota_exceeded" }, wait: 3600 },
    { fault: { error: "concurrent_idempotent_requests" }, wait: 15 },
  ])("that has enough for now ($fault) is left alone so long; it is no attempt", async (limit) => {
    const { id, to } = await owed();
    await failMails(to, { ...limit.fault, times: 3 });
    for (let n = 0; n < 3; n += 1) {
      expect(await deliver([id])).toEqual([limit.wait]);
      expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0 });
      await letTimePass();
    }
    await expectSentOnce(id, to);
  });

  test("that refuses a recipient gets the mail no more, and it is kept; the others go on", async () => {
    const [refused, fine] = [await owed(), await owed()];
    await control("mailRefuse", { to: refused.to });
    expect(await deliver([refused.id, fine.id])).toEqual(["done", "done"]);
    const row = await mailRow(refused.id);
    expect(row).toMatchObject({ state: "failed", fault: "422 validation_error", to: refused.to });
    expect(row).toMatchObject({ subject: expect.any(String), html: expect.any(String) });
    expect(await mailsTo(fine.to)).toHaveLength(1);
    await letTimePass();
    expect(await deliver([refused.id])).toEqual(["done"]);
    expect(await postsTo(refused.to)).toHaveLength(1);
    expect(await findViolations(env.DB)).toEqual([]);
  });

  test("that takes no mail with the key that is configured loses none", async () => {
    const { id, to } = await owed();
    expect(await deliver([id], { RESEND_API_KEY: "re_not_this_one" })).toEqual([30]);
    expect(await mailRow(id)).toMatchObject({ state: "pending", fault: "403 invalid_api_key" });
    await expectSentOnce(id, to);
  });
});

describe("a mail that fails every time", () => {
  /** Lets a mail fail so often, each time when its message comes again. */
  async function failing(id: string, times: number) {
    const mailer = stubMailer(...Array(times).fill(new MailError("failed", "unreachable")));
    let now = baseTime;
    const waits: unknown[] = [];
    for (let n = 0; n < times; n += 1) {
      const [outcome] = await consume([id], { mailer, now: () => now });
      waits.push(outcome);
      if (typeof outcome === "number") now += outcome * 1000;
    }
    return { mailer, waits, now };
  }

  test("is tried ten times, ever less often, then failed for good, and kept", async () => {
    const { id } = await owed();
    const { mailer, waits, now } = await failing(id, 10);
    expect(waits).toEqual([30, 120, 480, 1920, 7680, 10_800, 10_800, 10_800, 10_800, "done"]);
    expect(await mailRow(id)).toMatchObject({
      state: "failed",
      fault: "unreachable",
      attempts: 10,
      subject: expect.any(String),
    });
    expect(await consume([id], { mailer, now: () => now + 86_400_000 })).toEqual(["done"]);
    expect(mailer.sent).toHaveLength(10);
    expect(new Set(mailer.sent.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await findViolations(env.DB)).toEqual([]);
  });

  test("is out at the tenth attempt where that one is taken", async () => {
    const { id } = await owed();
    const { mailer, now } = await failing(id, 9);
    expect(await consume([id], { mailer, now: () => now })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent", attempts: 10 });
  });

  test("so is one whose consumer dies every time", async () => {
    const { id } = await owed();
    const db = createDatabase(
      failingDatabase(env.DB, (sql) => (sql.includes('"sent_at"') ? "refused" : "fine")),
    );
    const mailer = stubMailer();
    for (let n = 0; n < 10; n += 1) {
      expect(await consume([id], { db, mailer })).toEqual([300]);
      await letTimePass();
    }
    expect(await consume([id], { mailer })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({
      state: "failed",
      fault: "every attempt ended in an error",
    });
    expect(mailer.sent).toHaveLength(10);
  });

  test("by what is no fault of the provider's comes again when the claim has lapsed", async () => {
    const { id } = await owed();
    const mailer = stubMailer(new TypeError("a fault of the program"));
    expect(await consume([id], { mailer })).toEqual([300]);
    await letTimePass();
    expect(await consume([id], { mailer })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent" });
  });
});

test("a provider in the platform itself is tried again like any other", async () => {
  const { id, to } = await owed();
  const sent: unknown[] = [];
  let fault: { code: string } | null = { code: "E_RATE_LIMIT_EXCEEDED" };
  const EMAIL = {
    async send(mail: unknown) {
      sent.push(mail);
      if (fault) throw Object.assign(new Error("refused"), fault);
      return { messageId: "1" };
    },
  };
  const changed = { EMAIL, MAIL_PROVIDER: "cloudflare", RESEND_API_KEY: undefined };
  expect(await deliver([id], changed)).toEqual([30]);
  fault = null;
  await letTimePass();
  expect(await deliver([id], changed)).toEqual(["done"]);
  expect(await mailRow(id)).toMatchObject({ state: "sent" });
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatchObject({ to, html: expect.any(String) });
  expect(sent[1]).toEqual(sent[0]);
});
