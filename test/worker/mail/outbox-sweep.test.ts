import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { requeueCodes, requeueMails } from "~/outbox/mail-queue.server";
import { baseTime, insert, makeSong, makeUser, unique } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { change, db, type RowOf, row, rows, untouched } from "../../support/database/rows";
import { stored } from "../../support/expectations";
import { failingDatabase } from "../../support/faults/failing-database";
import {
  addressOf,
  consume,
  deliver,
  expectMail,
  failMails,
  mailTo,
  owe,
  owed,
  oweRating,
} from "../../support/mails";
import { request } from "../../support/request";
import { daily, everyTenMinutes, runJobs } from "../../support/worker";
import { beginEmailLogin, freeAddress } from "../session/email-login-flow";

const minute = 60_000;
const now = baseTime + 600 * minute;

/** A queue that accepts batches, except those with these numbers. */
function stubQueue(...refused: number[]) {
  const batches: string[][] = [];
  let calls = 0;
  async function sendBatch(messages: Iterable<MessageSendRequest<{ outboxId: string }>>) {
    calls += 1;
    if (refused.includes(calls)) throw new Error("Queue overloaded");
    batches.push([...messages].map(({ body }) => body.outboxId));
  }
  const queue = { sendBatch } as unknown as typeof env.OUTBOX_QUEUE;
  return { batches, queue, ids: () => batches.flat() };
}

/** A sweep at a time. @returns the mails that it queued. */
async function swept(at = now): Promise<string[]> {
  const { queue, ids } = stubQueue();
  expect(await requeueMails(db, queue, at)).toBe(ids().length);
  return ids();
}

const mailOf = (id: string) => row("outbox", { id });
const set = (id: string, values: Partial<RowOf<"outbox">>) => change("outbox", { id }, values);

/** A mail that has been due for a number of minutes. */
async function dueAgo(minutes: number, values?: Partial<RowOf<"outbox">>): Promise<string> {
  const notBefore = now - minutes * minute;
  const id = await owe((await makeUser()).id, "premium_ended", unique("subject"), notBefore);
  if (values) await set(id, { mailId: id, ...values });
  return id;
}

test("the sweep queues a mail that was never queued, and it is sent", async () => {
  const { id, to } = await owed();
  expect(await swept()).toEqual([id]);
  expect(await consume([id], { now: () => now })).toEqual(["done"]);
  await mailTo(to);
});

test("the sweep queues a mail whose sending broke off, 15 minutes after its claim expired", async () => {
  const id = await dueAgo(60);
  const broken = createDatabase(
    failingDatabase(env.DB, (sql) => (sql.includes('"fault" = ?') ? "refused" : "fine")),
  );
  await failMails(addressOf({ id: (await mailOf(id)).userId ?? "" }), { status: 500 });
  await consume([id], { db: broken, now: () => now });
  expect(await swept(now + 20 * minute)).toEqual([]);
  expect(await swept(now + 20 * minute + 1)).toEqual([id]);
  expect(await consume([id], { now: () => now + 21 * minute })).toEqual(["done"]);
  await expectMail(id, { state: "sent" });
});

test("the sweep ignores mails that may still be in the queue, and those that are done", async () => {
  exemptFromInvariants(
    "a mail has a sending time exactly if it was sent",
    "a skipped or failed mail says why",
  );
  for (const minutes of [15, 5, 0, -60]) await dueAgo(minutes);
  for (const state of ["sent", "skipped", "failed"] as const) await dueAgo(60, { state });
  await untouched(async () => expect(await swept()).toEqual([]));
});

test("the sweep queues only the row that leads a mail", async () => {
  const song = await makeSong(await makeUser());
  const [lead, other] = [await oweRating(song), await oweRating(song)];
  await change("outbox", {}, { mailId: lead });
  expect(await swept()).toEqual([lead]);
  await expectMail(other, { notBefore: baseTime });
});

test("the sweep does not queue again what it has just queued", async () => {
  const id = await dueAgo(60);
  expect(await swept()).toEqual([id]);
  expect(await swept(now + 15 * minute)).toEqual([]);
  expect(await swept(now + 16 * minute)).toEqual([id]);
});

test("the sweep loses nothing if the queue refuses: a later one finds the mail again", async () => {
  const id = await dueAgo(60);
  expect(await requeueMails(db, stubQueue(1).queue, now)).toBe(1);
  await expectMail(id, { state: "pending", attempts: 0 });
  expect(await swept(now + 20 * minute)).toEqual([id]);
});

test("the sweep queues 100 at a time and 500 a run, the longest overdue first, and goes on after a refusal", async () => {
  const { id: user_id } = await makeUser();
  const mail = { user_id, kind: "premium_ended", subject_id: "cus_1", created_at: 1 };
  await env.DB.batch(
    Array.from({ length: 503 }, (_, n) =>
      insert("outbox", {
        ...mail,
        // Of those that are due at once, the order of the ids is not that of the table.
        id: `mail-${999 - n}`,
        dedupe_key: `key-${n}`,
        // Nor is the order of the due times.
        not_before: 1 + Math.floor(((n * 7) % 503) / 3),
      }),
    ),
  );
  const { queue, batches } = stubQueue(2);
  expect(await requeueMails(db, queue, now)).toBe(500);
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 100, 100]);
  const left = (await rows("outbox")).filter(({ notBefore }) => notBefore !== now);
  expect(left.map(({ id, notBefore }) => `${notBefore} ${id}`).sort()).toEqual([
    // Two more were due at the same time as the first.
    "167 mail-856",
    "168 mail-568",
    "168 mail-640",
  ]);
});

test("the sweep runs every ten minutes, and not with the daily jobs", async () => {
  const id = await dueAgo(60);
  const { queue, batches } = stubQueue();
  const bindings = { ...env, OUTBOX_QUEUE: queue };
  await runJobs(daily, bindings);
  expect(batches).toEqual([]);
  await runJobs(everyTenMinutes, bindings);
  expect(batches).toEqual([[id]]);
});

async function codeAskedAgo(seconds: number): Promise<string> {
  const at = Date.now() - seconds * 1000;
  await beginEmailLogin(freeAddress());
  const id = (await rows("outbox")).at(-1)?.id ?? "";
  await set(id, { createdAt: at, notBefore: at });
  return id;
}

test("codes of logins go into a queue of their own, which no other mail is in", async () => {
  const [codes, others]: string[][] = [[], []];
  const noting = (queued: string[] = []) => ({
    send: async (body: { outboxId: string }) => void queued.push(body.outboxId),
  });
  const bindings = { ...env, CODE_QUEUE: noting(codes), OUTBOX_QUEUE: noting(others) };
  await request("/login/email", { form: { address: freeAddress() }, bindings });
  await expect.poll(() => codes).toHaveLength(1);
  const { id } = await row("outbox");
  expect([codes, others]).toEqual([[id], []]);
  expect(await deliver([id], {}, "fivefold-codes")).toEqual(["done"]);
  await stored("outbox", { state: "sent" });
});

test("codes of logins are swept after a minute, as long as they are of use, before all other mails", async () => {
  const ids: string[] = [];
  for (const seconds of [59, 61, 599, 601]) ids.push(await codeAskedAgo(seconds));
  await owe((await makeUser()).id, "premium_ended", unique("subject"), Date.now() - 14 * minute);
  const codes = stubQueue();
  expect(await requeueCodes(db, codes.queue, Date.now())).toBe(2);
  expect(codes.ids().sort()).toEqual(ids.slice(1, 3).sort());
  expect(await requeueCodes(db, codes.queue, Date.now() + 59_000)).toBe(1);
});

test("codes of logins are queued by the sweep's job, into their own queue", async () => {
  const id = await codeAskedAgo(120);
  const [codes, others] = [stubQueue(), stubQueue()];
  await runJobs(everyTenMinutes, { ...env, CODE_QUEUE: codes.queue, OUTBOX_QUEUE: others.queue });
  expect([codes.batches, others.batches]).toEqual([[[id]], []]);
});

const bury = (id: string, bindings = {}) => deliver([id], bindings, "fivefold-outbox-dead");

test("a dead letter whose mail has attempts left leaves it to the sweep", async () => {
  const id = await dueAgo(60, { attempts: 9 });
  const outcomes = await deliver([id, null, "no-such-mail"], {}, "fivefold-outbox-dead");
  expect(outcomes).toEqual(["done", "done", "done"]);
  await expectMail(id, { state: "pending" });
  expect(await swept()).toEqual([id]);
});

test("a dead letter whose mail has used up its attempts marks it as failed, with all ratings in it", async () => {
  const song = await makeSong(await makeUser());
  const [lead, other] = [await oweRating(song), await oweRating(song)];
  await change("outbox", {}, { mailId: lead });
  await set(lead, { attempts: 10 });
  const bystander = await dueAgo(60, { attempts: 10 });
  expect(await bury(lead)).toEqual(["done"]);
  const failed = { state: "failed", fault: "dead letter" };
  for (const id of [lead, other]) await expectMail(id, failed);
  await expectMail(bystander, { state: "pending" });
});

test("a dead letter does not touch a mail that is being sent right now, nor one that was sent", async () => {
  const sending = await dueAgo(60, { attempts: 10, notBefore: Date.now() + minute });
  const sent = await dueAgo(60, { attempts: 9 });
  await consume([sent], { now: () => now });
  await set(sent, { attempts: 10 });
  for (const id of [sending, sent]) await bury(id);
  await expectMail(sending, { state: "pending" });
  await expectMail(sent, { state: "sent" });
});

test("a dead letter comes again if the database does not answer", async () => {
  const id = await dueAgo(60);
  const DB = failingDatabase(env.DB, () => "refused");
  await expect(bury(id, { DB })).rejects.toThrow();
  await expectMail(id, { state: "pending" });
});
