import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { createDatabase } from "~/db/client.server";
import { requeueMails } from "~/outbox/mail-queue.server";
import { MailError } from "~/outbox/mailer";
import { baseTime } from "../../support/database/factories";
import { change, db } from "../../support/database/rows";
import { failingDatabase } from "../../support/faults/failing-database";
import {
  consume,
  deliver,
  delivers,
  expectMail,
  failMails,
  letTimePass,
  mailsTo,
  mailTo,
  owed,
  postsTo,
  stubMailer,
} from "../../support/mails";
import { control } from "../../support/sandbox";

const text = expect.any(String);

/** The bodies and headers of the posts to an address, without their times. */
async function payloads(to: string): Promise<unknown[]> {
  return (await postsTo(to)).map(({ body, headers }) => ({ body, headers }));
}

/** Expects that the next attempt sends the mail, that it arrives once, and that all invariants hold. */
async function expectSentOnce({ id, to }: { id: string; to: string }): Promise<void> {
  await letTimePass();
  await delivers(id);
  await expectMail(id, { state: "sent", fault: null, subject: null });
  await mailTo(to);
}

test("a mail that cannot be rendered does not hold up others, and fails for good after ten attempts", async () => {
  const [broken, fine] = [await owed(), await owed()];
  const unreadable = "UPDATE songs SET artists = 'no JSON' WHERE id = ?";
  await env.DB.prepare(unreadable).bind(broken.song.id).run();
  expect(await deliver([broken.id, fine.id])).toEqual([300, "done"]);
  await mailTo(fine.to);
  for (let attempt = 2; attempt <= 11; attempt += 1) {
    await letTimePass();
    expect(await deliver([broken.id])).toEqual([attempt <= 10 ? 300 : "done"]);
  }
  await expectMail(broken.id, { state: "failed" });
  expect(await mailsTo(broken.to)).toEqual([]);
});

test("if the facts of a mail cannot be read at all, it waits and is sent in the end", async () => {
  const mail = await owed();
  const DB = failingDatabase(env.DB, (_, call) => (call === 1 ? "fine" : "refused"));
  expect(await deliver([mail.id], { DB })).toEqual([300]);
  expect(await mailsTo(mail.to)).toEqual([]);
  await expectSentOnce(mail);
});

test("a claim whose answer was lost holds until it expires", async () => {
  const { id, to } = await owed();
  const lost = createDatabase(failingDatabase(env.DB, () => "lost"));
  expect(await consume([id], { db: lost, now: () => baseTime })).toEqual([60]);
  expect(await consume([id], { now: () => baseTime + 60_000 })).toEqual([240]);
  expect(await mailsTo(to)).toEqual([]);
  expect(await consume([id], { now: () => baseTime + 300_000 })).toEqual(["done"]);
  await mailTo(to);
});

test.each(["refused", "lost"] as const)(
  "while a failed mail is being postponed (%s), the mail comes again when its claim has expired",
  async (fate) => {
    const mail = await owed();
    await failMails(mail.to, { status: 500 });
    const DB = failingDatabase(env.DB, (sql) => (sql.includes('"fault" = ?') ? fate : "fine"));
    expect(await deliver([mail.id], { DB })).toEqual([300]);
    await expectMail(mail.id, { state: "pending" });
    await expectSentOnce(mail);
  },
);

const unmarked = () =>
  failingDatabase(env.DB, (sql) => (sql.includes('"sent_at"') ? "refused" : "fine"));

test.each([
  {
    what: "the consumer dies after",
    send: (id: string, _to: string) => deliver([id], { DB: unmarked() }),
    again: 300,
    fault: null,
  },
  {
    what: "only the answer is lost with which",
    async send(id: string, to: string) {
      await control("mailLoseAnswer", { musician: to });
      return deliver([id]);
    },
    again: 30,
    fault: "unreachable",
  },
])(
  "if $what the provider has accepted a mail, exactly the same is sent under the same key, and one arrives",
  async ({ send, again, fault }) => {
    const { id, to } = await owed();
    expect(await send(id, to)).toEqual([again]);
    await mailTo(to);
    await expectMail(id, { state: "pending", attempts: 1, fault, to });
    // A change in between does not get into the mail.
    await change("songs", {}, { title: "Another title" });
    await expectSentOnce({ id, to });
    const [first, ...more] = await payloads(to);
    expect(first).toMatchObject({ headers: { "idempotency-key": text } });
    expect(more).toEqual([first]);
  },
);

test("if a mail has changed since the provider accepted it, the key alone prevents a second one", async () => {
  const { id, to } = await owed();
  await control("mailLoseAnswer", { musician: to });
  await deliver([id]);
  await change("outbox", { id }, { subject: "Another subject" });
  await expectSentOnce({ id, to });
  expect(await postsTo(to)).toHaveLength(2);
});

test("a provider that fails gets the mail again after 30 seconds", async () => {
  const mail = await owed();
  await failMails(mail.to, { status: 503 });
  expect(await deliver([mail.id])).toEqual([30]);
  const postponed = { state: "pending", attempts: 1, fault: "503 internal_server_error" };
  await expectMail(mail.id, { ...postponed, to: mail.to });
  expect(await mailsTo(mail.to)).toEqual([]);
  await expectSentOnce(mail);
});

test.each([
  { fault: { status: 429, retryAfter: 7 }, wait: 7 },
  { fault: { status: 429 }, wait: 30 },
])(
  "a provider at a limit ($fault) gets the mail again after $wait seconds, and the attempt does not count",
  async ({ fault, wait }) => {
    const mail = await owed();
    await failMails(mail.to, { ...fault, times: 3 });
    for (let n = 0; n < 3; n += 1) {
      expect(await deliver([mail.id])).toEqual([wait]);
      await expectMail(mail.id, { state: "pending", attempts: 0 });
      await letTimePass();
    }
    await expectSentOnce(mail);
  },
);

test("a provider that refuses a recipient does not get the mail again; its content is kept, and others are sent", async () => {
  const [{ id, to }, fine] = [await owed(), await owed()];
  await control("mailRefuse", { to });
  await delivers(id, fine.id);
  await expectMail(id, {
    ...{ state: "failed", fault: "422 validation_error", to, subject: text, html: text },
  });
  await mailTo(fine.to);
  await letTimePass();
  await delivers(id);
  expect(await postsTo(to)).toHaveLength(1);
});

test.each([
  { RESEND_API_KEY: "re_not_this_one", fault: "403 invalid_api_key" },
  { MAIL_FROM: "ratings@unverified.example", fault: "403 validation_error" },
])(
  "a fault of the set-up ($fault) is logged as such, and the mail is kept, however often it fails, until the set-up is corrected",
  async ({ fault, ...changed }) => {
    const mail = await owed();
    const log = vi.spyOn(console, "log");
    for (let time = 0; time < 12; time += 1) {
      expect(await deliver([mail.id], changed)).toEqual(["done"]);
      await expectMail(mail.id, { state: "pending", attempts: 0, fault });
      await letTimePass();
    }
    expect(await mailsTo(mail.to)).toEqual([]);
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
    log.mockRestore();
    const line = { event: "mail_setup_fault", outboxId: mail.id, kind: "rating", reason: fault };
    expect(lines).toMatchObject(Array(12).fill(line));
    await expectSentOnce(mail);
  },
);

test("after a fault of the set-up a mail is tried again by the sweep, after a quarter of an hour and not before", async () => {
  const { id } = await owed();
  const mailer = stubMailer(new MailError("setup", "401 restricted_api_key"));
  const at = (minutes: number) => ({ mailer, now: () => baseTime + minutes * 60_000 });
  expect(await consume([id], at(0))).toEqual(["done"]);
  const queued: unknown[] = [];
  const queue = { sendBatch: async (sent: Iterable<unknown>) => void queued.push(...sent) };
  const sweep = (minutes: number) =>
    requeueMails(db, queue as unknown as typeof env.OUTBOX_QUEUE, at(minutes).now());
  expect([await sweep(15), await sweep(15.1)]).toEqual([0, 1]);
  expect(queued).toEqual([{ body: { outboxId: id } }]);
  expect(await consume([id], at(16))).toEqual(["done"]);
  await expectMail(id, { state: "sent", attempts: 1, fault: null });
});

/** A mail that fails several times, each time when its message comes again. */
async function failing(times: number) {
  const { id } = await owed();
  const mailer = stubMailer(...Array(times).fill(new MailError("failed", "unreachable")));
  let now = baseTime;
  const waits: unknown[] = [];
  for (let n = 0; n < times; n += 1) {
    const [outcome] = await consume([id], { mailer, now: () => now });
    waits.push(outcome);
    if (typeof outcome === "number") now += outcome * 1000;
  }
  return { id, mailer, waits, later: (ms = 0) => consume([id], { mailer, now: () => now + ms }) };
}

test("a mail that fails every time is tried ten times at growing intervals, then fails for good, and its content is kept", async () => {
  const { id, mailer, waits, later } = await failing(10);
  expect(waits).toEqual([30, 120, 480, 1920, 7680, 10_800, 10_800, 10_800, 10_800, "done"]);
  const kept = { state: "failed", fault: "unreachable", attempts: 10, subject: text };
  await expectMail(id, kept);
  expect(await later(86_400_000)).toEqual(["done"]);
  expect(mailer.sent).toHaveLength(10);
  expect(new Set(mailer.sent.map((one) => JSON.stringify(one))).size).toBe(1);
});

test("a mail is sent if its tenth attempt succeeds", async () => {
  const { id, later } = await failing(9);
  expect(await later()).toEqual(["done"]);
  await expectMail(id, { state: "sent", attempts: 10 });
});

test("a mail whose consumer dies every time fails for good as well", async () => {
  const { id } = await owed();
  const mailer = stubMailer();
  for (let n = 0; n < 10; n += 1) {
    expect(await consume([id], { db: createDatabase(unmarked()), mailer })).toEqual([300]);
    await letTimePass();
  }
  expect(await consume([id], { mailer })).toEqual(["done"]);
  const fault = "every attempt ended in an error";
  await expectMail(id, { state: "failed", fault });
  expect(mailer.sent).toHaveLength(10);
});

test("a mail that fails because of a bug comes again when its claim has expired", async () => {
  const { id } = await owed();
  const mailer = stubMailer(new TypeError("a fault of the program"));
  expect(await consume([id], { mailer })).toEqual([300]);
  await letTimePass();
  expect(await consume([id], { mailer })).toEqual(["done"]);
  await expectMail(id, { state: "sent" });
});
