import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { requeueMails } from "~/outbox/mail-queue.server";
import { MailError } from "~/outbox/mailer";
import { baseTime, makeSong, makeUser } from "../../support/database/factories";
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

/** The bodies and headers of the posts to an address, without their times. */
async function payloads(to: string): Promise<unknown[]> {
  return (await postsTo(to)).map(({ body, headers }) => ({ body, headers }));
}

/** Expects that the next attempt sends the mail, that it arrives once, and that all invariants hold. */
async function expectSentOnce(id: string, to: string): Promise<void> {
  await letTimePass();
  expect(await deliver([id])).toEqual(["done"]);
  expect(await mailRow(id)).toMatchObject({ state: "sent", fault: null, subject: null });
  expect(await mailsTo(to)).toHaveLength(1);
}

test("a mail that cannot be rendered does not hold up others, and fails for good after ten attempts", async () => {
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

describe("if the database fails while a mail is sent", () => {
  // Claiming; reading preferences and facts, then who has unsubscribed; saving the rendered mail;
  // marking it as sent.
  const steps = [1, 2, 3, 4, 5, 6];
  const fates: Fate[] = ["refused", "lost"];
  test.each(steps.flatMap((step) => fates.map((fate) => ({ step, fate }))))(
    "in call $step ($fate), one mail is sent in the end",
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
      // What fails for all mails at once is tried for each mail alone. If the preferences cannot be
      // read, the mail is sent.
      const again = { 1: 60, 6: 300 }[step];
      expect(outcome).toBe(again ?? "done");
      expect(await mailsTo(to)).toHaveLength(step === 1 ? 0 : 1);
      await expectSentOnce(id, to);
    },
  );

  test("and its facts cannot be read at all, the mail waits and is sent in the end", async () => {
    const { id, to } = await owed();
    const DB = failingDatabase(env.DB, (_, call) => (call === 1 ? "fine" : "refused"));
    expect(await deliver([id], { DB })).toEqual([300]);
    expect(await mailsTo(to)).toEqual([]);
    await expectSentOnce(id, to);
  });

  test("there is no seventh call to fail", async () => {
    const { id } = await owed();
    let calls = 0;
    const DB = failingDatabase(env.DB, (_, call) => {
      calls = call;
      return "fine";
    });
    expect(await deliver([id], { DB })).toEqual(["done"]);
    expect(calls).toBe(steps.length);
  });

  test("a claim whose answer was lost holds until it expires", async () => {
    const { id, to } = await owed();
    const lost = createDatabase(failingDatabase(env.DB, () => "lost"));
    expect(await consume([id], { db: lost, now: () => baseTime })).toEqual([60]);
    expect(await consume([id], { now: () => baseTime + 60_000 })).toEqual([240]);
    expect(await mailsTo(to)).toEqual([]);
    expect(await consume([id], { now: () => baseTime + 300_000 })).toEqual(["done"]);
    expect(await mailsTo(to)).toHaveLength(1);
  });

  test.each(["refused", "lost"] as const)(
    "while a failed mail is being postponed (%s), the mail comes again when its claim has expired",
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

describe("if the consumer dies after the provider has accepted the mail", () => {
  test("the next one sends exactly the same under the same key, and one mail arrives", async () => {
    const { id, to } = await owed();
    const DB = failingDatabase(env.DB, (sql) => (sql.includes('"sent_at"') ? "refused" : "fine"));
    expect(await deliver([id], { DB })).toEqual([300]);
    expect(await mailsTo(to)).toHaveLength(1);
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 1, to });
    // A change in between does not get into the mail.
    await env.DB.prepare("UPDATE songs SET title = 'Another title'").run();
    await expectSentOnce(id, to);
    const [first, second, ...more] = await payloads(to);
    expect(first).toMatchObject({ headers: { "idempotency-key": expect.any(String) } });
    expect([second, more]).toEqual([first, []]);
  });

  test("or only the answer is lost, the same happens", async () => {
    const { id, to } = await owed();
    await control("mailLoseAnswer", { musician: to });
    expect(await deliver([id])).toEqual([30]);
    expect(await mailRow(id)).toMatchObject({ state: "pending", fault: "unreachable" });
    expect(await mailsTo(to)).toHaveLength(1);
    await expectSentOnce(id, to);
    const [first, second, ...more] = await payloads(to);
    expect([second, more]).toEqual([first, []]);
  });

  test("and the mail has changed since, the key alone prevents a second mail", async () => {
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
    { fault: { status: 403, body: "error code: 1010" }, told: "403" },
  ])("that fails ($told) gets the mail again after 30 seconds", async ({ fault, told }) => {
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
  ])(
    "that is at a limit ($fault) gets the mail again after $wait seconds, and the attempt does not count",
    async (limit) => {
      const { id, to } = await owed();
      await failMails(to, { ...limit.fault, times: 3 });
      for (let n = 0; n < 3; n += 1) {
        expect(await deliver([id])).toEqual([limit.wait]);
        expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0 });
        await letTimePass();
      }
      await expectSentOnce(id, to);
    },
  );

  test("that refuses a recipient does not get the mail again; its content is kept, and others are sent", async () => {
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
  });
});

describe("a fault of the set-up", () => {
  const faults = [
    { RESEND_API_KEY: "re_not_this_one", told: "403 invalid_api_key" },
    { fault: { error: "restricted_api_key" }, told: "401 restricted_api_key" },
    { MAIL_FROM: "ratings@unverified.example", told: "403 validation_error" },
    { MAIL_FROM: "onboarding@resend.dev", told: "403 validation_error" },
    { fault: { error: "invalid_from_address" }, told: "422 invalid_from_address" },
  ];

  test.each(faults)(
    "($told) is logged as such, and the mail is kept, however often it fails, until the set-up is corrected",
    async ({ fault, told, ...changed }) => {
      const { id, to } = await owed();
      const log = vi.spyOn(console, "log");
      if (fault) await failMails(to, { ...fault, times: 12 });
      for (let time = 0; time < 12; time += 1) {
        expect(await deliver([id], changed)).toEqual(["done"]);
        expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0, fault: told });
        await letTimePass();
      }
      expect(await mailsTo(to)).toEqual([]);
      const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
      log.mockRestore();
      const line = { event: "mail_setup_fault", outboxId: id, kind: "rating", reason: told };
      expect(lines).toHaveLength(12);
      for (const one of lines) expect(one).toMatchObject(line);
      await expectSentOnce(id, to);
    },
  );

  test("is tried again by the sweep, after a quarter of an hour and not before", async () => {
    const { id } = await owed();
    const mailer = stubMailer(new MailError("setup", "401 restricted_api_key"));
    expect(await consume([id], { mailer, now: () => baseTime })).toEqual(["done"]);
    const db = createDatabase(env.DB);
    const queued: unknown[] = [];
    const queue = { sendBatch: async (sent: Iterable<unknown>) => void queued.push(...sent) };
    const sweep = (minutes: number) =>
      requeueMails(db, queue as unknown as typeof env.OUTBOX_QUEUE, baseTime + minutes * 60_000);
    expect([await sweep(15), await sweep(15.1)]).toEqual([0, 1]);
    expect(queued).toEqual([{ body: { outboxId: id } }]);
    expect(await consume([id], { mailer, now: () => baseTime + 16 * 60_000 })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent", attempts: 1, fault: null });
  });
});

describe("a mail that fails every time", () => {
  /** Lets a mail fail several times, each time when its message comes again. */
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

  test("is tried ten times at growing intervals, then fails for good, and its content is kept", async () => {
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
  });

  test("is sent if the tenth attempt succeeds", async () => {
    const { id } = await owed();
    const { mailer, now } = await failing(id, 9);
    expect(await consume([id], { mailer, now: () => now })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent", attempts: 10 });
  });

  test("fails for good as well if its consumer dies every time", async () => {
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

  test("because of a bug comes again when its claim has expired", async () => {
    const { id } = await owed();
    const mailer = stubMailer(new TypeError("a fault of the program"));
    expect(await consume([id], { mailer })).toEqual([300]);
    await letTimePass();
    expect(await consume([id], { mailer })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent" });
  });
});
