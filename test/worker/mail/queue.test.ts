import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createMailQueue } from "~/outbox/mail-queue.server";
import { MailError } from "~/outbox/mailer";
import { baseTime, makeUser } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { change, rows } from "../../support/database/rows";
import { failingDatabase } from "../../support/faults/failing-database";
import {
  consume,
  deliver,
  delivers,
  expectMail,
  letTimePass,
  mailsTo,
  mailTo,
  owe,
  owed,
  postsTo,
  resend,
  stubMailer,
} from "../../support/mails";

const untried = { state: "pending", attempts: 0 };
const unreachable = () => stubMailer(new MailError("failed", "unreachable"));

/** One mail has arrived, and was posted once. */
async function expectOne(to: string): Promise<void> {
  await mailTo(to);
  expect(await postsTo(to)).toHaveLength(1);
}

test.each([null, 7, [], {}, { outboxId: 7 }, { outboxId: null }, { outboxId: "" }])(
  "a malformed message (%j) is dropped, as is one about no mail, and the rest of its batch is handled",
  async (body) => {
    const { id } = await owed();
    await delivers(body, "no-such-mail", id);
    await expectMail(id, { state: "sent" });
  },
);

test("a message that comes too early sends nothing, and comes again when its mail is due", async () => {
  const { id, to } = await owed({ notBefore: baseTime + 90_500 });
  expect(await consume([id], { now: () => baseTime })).toEqual([91]);
  await expectMail(id, { ...untried, mailId: null });
  expect(await mailsTo(to)).toEqual([]);
  expect(await consume([id], { now: () => baseTime + 90_500 })).toEqual(["done"]);
  await mailTo(to);
});

test("a message about a mail that another consumer has claimed comes again when the claim expires", async () => {
  const { id } = await owed();
  let meanwhile: unknown;
  const mailer = {
    async send() {
      meanwhile = await consume([id], { now: () => baseTime + 60_000 });
    },
  };
  expect(await consume([id], { mailer, now: () => baseTime })).toEqual(["done"]);
  expect(meanwhile).toEqual([240]);
});

test("the same message five times in one batch, and then one after the other, sends one mail", async () => {
  const { id, to } = await owed();
  expect(await deliver(Array(5).fill(id))).toEqual(Array(5).fill("done"));
  for (let n = 0; n < 5; n += 1) await delivers(id);
  await expectOne(to);
});

test("the same message to five consumers at once sends one mail", async () => {
  const { id, to } = await owed();
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => deliver([id])));
  expect(outcomes.flat()).toContain("done");
  expect(outcomes.flat()).not.toContain("unsettled");
  await expectMail(id, { state: "sent", attempts: 1 });
  await expectOne(to);
});

test("a batch of ten mails sends all of them, at most four at a time", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) ids.push(await owe((await makeUser()).id, "premium_ended"));
  const { send } = resend();
  let open = 0;
  let most = 0;
  const mailer = {
    async send(...parts: Parameters<typeof send>) {
      open += 1;
      most = Math.max(most, open);
      await send(...parts);
      open -= 1;
    },
  };
  expect(await consume(ids, { mailer })).toEqual(Array(10).fill("done"));
  expect(most).toBe(4);
  expect(await rows("outbox", { state: "sent" })).toHaveLength(10);
});

test("a batch saves every mail as rendered before it sends the first", async () => {
  const ids = [(await owed()).id, (await owed()).id, (await owed()).id];
  const kept: number[] = [];
  const mailer = {
    async send() {
      const pending = await rows("outbox", { state: "pending" });
      kept.push(pending.filter(({ html }) => html !== null).length);
    },
  };
  await consume([ids[0]], { mailer: unreachable() });
  await letTimePass();
  expect(await consume(ids, { mailer })).toEqual(["done", "done", "done"]);
  expect(kept[0]).toBe(3);
});

// Marking a mail as sent clears the same columns.
const saves = (sql: string) => sql.includes('"html" = ?') && !sql.includes('"sent_at"');

test("a batch that cannot save new mails sends those saved before", async () => {
  const [before, fresh] = [await owed(), await owed()];
  await consume([before.id], { mailer: unreachable() });
  await letTimePass();
  const DB = failingDatabase(env.DB, (sql) => (saves(sql) ? "refused" : "fine"));
  expect(await deliver([before.id, fresh.id], { DB })).toEqual(["done", 300]);
  expect(await mailsTo(fresh.to)).toEqual([]);
  await letTimePass();
  await delivers(fresh.id);
  for (const { to } of [before, fresh]) await mailTo(to);
});

test("a batch saves and sends the others if one mail cannot be saved", async () => {
  const mails = [await owed(), await owed()];
  const ids = mails.map(({ id }) => id);
  const fates: ("refused" | "fine")[] = ["refused"];
  const DB = failingDatabase(env.DB, (sql, _call, statements) => {
    if (!saves(sql)) return "fine";
    return statements > 1 ? { broken: 0 } : (fates.pop() ?? "fine");
  });
  expect((await deliver(ids, { DB })).toSorted()).toEqual([300, "done"]);
  await letTimePass();
  await deliver(ids);
  for (const { to } of mails) await mailTo(to);
});

test("a batch waits out a provider's limit of one second, and sends all", async () => {
  const ids = [(await owed()).id, (await owed()).id];
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const mailer = stubMailer(new MailError("busy", "429", 1));
  expect(await consume(ids, { mailer, wait })).toEqual(["done", "done"]);
  expect([waits, mailer.sent.length]).toEqual([[1000], 3]);
  expect(await rows("outbox", { state: "sent", attempts: 1 })).toHaveLength(2);
});

test("a batch comes again if the database does not answer, except for malformed messages", async () => {
  const { id, to } = await owed();
  const DB = failingDatabase(env.DB, () => "refused");
  expect(await deliver([id, null, "no-such-mail"], { DB })).toEqual([60, "done", 60]);
  await expectMail(id, untried);
  expect(await mailsTo(to)).toEqual([]);
});

test("a batch sends the others if one mail fails because of a bug", async () => {
  const [broken, fine] = [await owed(), await owed()];
  const { send } = resend();
  const mailer = {
    async send(...[mail, key]: Parameters<typeof send>) {
      if (mail.to === broken.to) throw new TypeError("a fault of the program");
      await send(mail, key);
    },
  };
  expect(await consume([broken.id, fine.id], { mailer })).toEqual([300, "done"]);
  await expectMail(broken.id, { state: "pending", attempts: 1 });
  await mailTo(fine.to);
});

test("a batch is left to the platform's own retries if the environment is not valid", async () => {
  const { id } = await owed();
  await expect(deliver([id], { RESEND_API_KEY: "" })).rejects.toThrow("RESEND_API_KEY");
  await expectMail(id, untried);
});

/** Resolves when the Worker no longer needs to wait for it. */
async function enqueue(send: (...parts: unknown[]) => Promise<unknown>, id: string, ms?: number) {
  const pending: Promise<unknown>[] = [];
  const queue = { send } as unknown as typeof env.OUTBOX_QUEUE;
  createMailQueue(queue, (work) => void pending.push(work)).enqueue(id, ms);
  expect(pending).toHaveLength(1);
  return pending[0];
}

test("queueing a mail sends the row's id, with the delay in whole seconds", async () => {
  const sent: unknown[] = [];
  await enqueue(async (...parts) => void sent.push(parts), "outbox-1", 4500);
  expect(sent).toEqual([[{ outboxId: "outbox-1" }, { delaySeconds: 5 }]]);
});

test("queueing a mail loses nothing if the queue refuses: the mail is still pending", async () => {
  const { id } = await owed();
  const refusing = async () => Promise.reject(new Error("Queue overloaded"));
  await expect(enqueue(refusing, id)).resolves.toBeUndefined();
  await expectMail(id, untried);
});

test("a mail that was sent, skipped or has failed is not sent", async () => {
  exemptFromInvariants(
    "a mail has a sending time exactly if it was sent",
    "a skipped or failed mail says why",
  );
  const ids: string[] = [];
  for (const state of ["sent", "skipped", "failed"] as const) {
    const id = await owe((await makeUser()).id, "premium_ended");
    await change("outbox", { id }, { state, mailId: id });
    ids.push(id);
  }
  const mailer = stubMailer();
  expect(await consume(ids, { mailer })).toEqual(["done", "done", "done"]);
  expect(mailer.sent).toEqual([]);
});
