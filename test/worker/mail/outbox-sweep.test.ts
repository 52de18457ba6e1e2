import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { requeueCodes, requeueMails } from "~/outbox/mail-queue.server";
import { contents, rowsOf } from "../../support/database/contents";
import { baseTime, insert, makeSong, makeUser, unique } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { failingDatabase } from "../../support/faults/failing-database";
import {
  addressOf,
  consume,
  deliver,
  failMails,
  mailRow,
  mailsTo,
  owe,
  oweRating,
} from "../../support/mails";
import { request } from "../../support/request";
import { daily, everyTenMinutes, runJobs } from "../../support/worker";
import { beginEmailLogin, freeAddress } from "../session/email-login-flow";

const db = createDatabase(env.DB);
const minute = 60_000;
const now = baseTime + 600 * minute;

/** A queue that accepts a number of batches and refuses the rest. */
function stubQueue(takes = Number.POSITIVE_INFINITY) {
  const batches: string[][] = [];
  return {
    batches,
    ids: () => batches.flat(),
    async sendBatch(messages: Iterable<MessageSendRequest<{ outboxId: string }>>) {
      if (batches.length >= takes) throw new Error("Queue overloaded");
      batches.push([...messages].map(({ body }) => body.outboxId));
    },
  };
}

async function sweep(queue: ReturnType<typeof stubQueue>, at = now): Promise<number> {
  return requeueMails(db, queue as unknown as typeof env.OUTBOX_QUEUE, at);
}

function set(id: string, change: string) {
  return env.DB.prepare(`UPDATE outbox SET ${change} WHERE id = ?`).bind(id).run();
}

/** A mail that has been due for a number of minutes. */
async function dueAgo(minutes: number): Promise<string> {
  return owe((await makeUser()).id, "premium_ended", unique("subject"), now - minutes * minute);
}

describe("the sweep", () => {
  test("queues a mail that was never queued, and it is sent", async () => {
    const owner = await makeUser();
    const id = await oweRating(await makeSong(owner));
    const queue = stubQueue();
    expect(await sweep(queue)).toBe(1);
    expect(queue.ids()).toEqual([id]);
    expect(await consume(queue.ids(), { now: () => now })).toEqual(["done"]);
    expect(await mailsTo(addressOf(owner))).toHaveLength(1);
  });

  test("queues a mail whose sending broke off, 15 minutes after its claim expired", async () => {
    const id = await dueAgo(60);
    const broken = createDatabase(
      failingDatabase(env.DB, (sql) => (sql.includes('"fault" = ?') ? "refused" : "fine")),
    );
    await failMails(await addressFor(id), { status: 500 });
    await consume([id], { db: broken, now: () => now });
    const queue = stubQueue();
    expect(await sweep(queue, now + 20 * minute)).toBe(0);
    expect(await sweep(queue, now + 20 * minute + 1)).toBe(1);
    expect(await consume(queue.ids(), { now: () => now + 21 * minute })).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent" });
  });

  async function addressFor(id: string): Promise<string> {
    return addressOf({ id: String((await mailRow(id)).user_id) });
  }

  test("ignores mails that may still be in the queue, and those that are done", async () => {
    exemptFromInvariants(
      "a mail has a sending time exactly if it was sent",
      "a skipped or failed mail says why",
    );
    for (const minutes of [15, 5, 0, -60]) await dueAgo(minutes);
    for (const state of ["sent", "skipped", "failed"]) {
      await set(await dueAgo(60), `state = '${state}', mail_id = id`);
    }
    const before = await contents("outbox");
    const queue = stubQueue();
    expect(await sweep(queue)).toBe(0);
    expect([queue.batches, await contents("outbox")]).toEqual([[], before]);
  });

  test("queues only the row that leads a mail", async () => {
    const song = await makeSong(await makeUser());
    const [lead, other] = [await oweRating(song), await oweRating(song)];
    await env.DB.prepare("UPDATE outbox SET mail_id = ?").bind(lead).run();
    const queue = stubQueue();
    await sweep(queue);
    expect(queue.ids()).toEqual([lead]);
    expect(await mailRow(other)).toMatchObject({ not_before: baseTime });
  });

  test("does not queue again what it has just queued", async () => {
    await dueAgo(60);
    const queue = stubQueue();
    await sweep(queue);
    expect(await sweep(queue, now + 15 * minute)).toBe(0);
    expect(await sweep(queue, now + 16 * minute)).toBe(1);
  });

  test("loses nothing if the queue refuses: a later sweep finds the mail again", async () => {
    const id = await dueAgo(60);
    expect(await sweep(stubQueue(0))).toBe(1);
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0 });
    const queue = stubQueue();
    await sweep(queue, now + 20 * minute);
    expect(queue.ids()).toEqual([id]);
  });

  test("queues 100 at a time and 500 a run, the longest overdue first, and goes on after a refusal", async () => {
    const { id: userId } = await makeUser();
    const rows = Array.from({ length: 503 }, (_, n) =>
      insert("outbox", {
        // Of those that are due at once, the order of the ids is not that of the table.
        id: `mail-${999 - n}`,
        user_id: userId,
        kind: "premium_ended",
        subject_id: "cus_1",
        dedupe_key: `key-${n}`,
        created_at: 1,
        // Nor is the order of the due times.
        not_before: 1 + Math.floor(((n * 7) % 503) / 3),
      }),
    );
    await env.DB.batch(rows);
    const queue = stubQueue();
    let calls = 0;
    const refusingOnce = {
      ...queue,
      async sendBatch(messages: Parameters<typeof queue.sendBatch>[0]) {
        calls += 1;
        if (calls === 2) throw new Error("Queue overloaded");
        await queue.sendBatch(messages);
      },
    };
    expect(await sweep(refusingOnce)).toBe(500);
    expect(queue.batches.map(({ length }) => length)).toEqual([100, 100, 100, 100]);
    expect(
      await rowsOf("SELECT id, not_before FROM outbox WHERE not_before <> ? ORDER BY 2, 1", now),
    ).toEqual([
      // Two more were due at the same time as the first.
      { id: "mail-856", not_before: 167 },
      { id: "mail-568", not_before: 168 },
      { id: "mail-640", not_before: 168 },
    ]);
  });

  test("runs every ten minutes, and not with the daily jobs", async () => {
    const id = await dueAgo(60);
    const queue = stubQueue();
    const bindings = { ...env, OUTBOX_QUEUE: queue };
    await runJobs(daily, bindings);
    expect(queue.batches).toEqual([]);
    await runJobs(everyTenMinutes, bindings);
    expect(queue.batches).toEqual([[id]]);
  });
});

describe("codes of logins", () => {
  async function codeAskedAgo(seconds: number): Promise<string> {
    const at = Date.now() - seconds * 1000;
    await beginEmailLogin(freeAddress());
    const [row] = await rowsOf("SELECT id FROM outbox ORDER BY rowid DESC LIMIT 1");
    const { id } = row as { id: string };
    await set(id, `created_at = ${at}, not_before = ${at}`);
    return id;
  }

  test("go into a queue of their own, which no other mail is in", async () => {
    const [codes, others] = [stubQueue(), stubQueue()];
    const noted = (queue: typeof codes) => ({
      send: async (body: { outboxId: string }) => void queue.batches.push([body.outboxId]),
    });
    const bindings = { ...env, CODE_QUEUE: noted(codes), OUTBOX_QUEUE: noted(others) };
    await request("/login/email", { form: { address: freeAddress() }, bindings });
    await expect.poll(() => codes.ids()).toHaveLength(1);
    expect(others.ids()).toEqual([]);
    expect(await rowsOf("SELECT id FROM outbox")).toEqual([{ id: codes.ids()[0] }]);
    expect(await deliver(codes.ids(), {}, "fivefold-codes")).toEqual(["done"]);
    expect(await rowsOf("SELECT state FROM outbox")).toEqual([{ state: "sent" }]);
  });

  test("are swept after a minute, as long as they are of use, before all other mails", async () => {
    const codes = stubQueue();
    const ids = [];
    for (const seconds of [59, 61, 599, 601]) ids.push(await codeAskedAgo(seconds));
    await owe((await makeUser()).id, "premium_ended", unique("subject"), Date.now() - 14 * minute);
    const queue = codes as unknown as typeof env.CODE_QUEUE;
    expect(await requeueCodes(db, queue, Date.now())).toBe(2);
    expect(codes.ids().sort()).toEqual([ids[1], ids[2]].sort());
    expect(await requeueCodes(db, queue, Date.now() + 59_000)).toBe(1);
  });

  test("are queued by the sweep's job, into their own queue", async () => {
    const id = await codeAskedAgo(120);
    const [codes, others] = [stubQueue(), stubQueue()];
    await runJobs(everyTenMinutes, { ...env, CODE_QUEUE: codes, OUTBOX_QUEUE: others });
    expect([codes.batches, others.batches]).toEqual([[[id]], []]);
  });
});

describe("a dead letter", () => {
  const dead = "fivefold-outbox-dead";

  test("whose mail has attempts left leaves it to the sweep", async () => {
    const id = await dueAgo(60);
    await set(id, "mail_id = id, attempts = 9");
    expect(await deliver([id, null, "no-such-mail"], {}, dead)).toEqual(["done", "done", "done"]);
    expect(await mailRow(id)).toMatchObject({ state: "pending" });
    const queue = stubQueue();
    await sweep(queue);
    expect(queue.ids()).toEqual([id]);
  });

  test("whose mail has used up its attempts marks it as failed, with all ratings in it", async () => {
    const song = await makeSong(await makeUser());
    const ids = [await oweRating(song), await oweRating(song)];
    const [lead = "", other = ""] = ids;
    await env.DB.prepare("UPDATE outbox SET mail_id = ?").bind(lead).run();
    await set(lead, "attempts = 10");
    const bystander = await dueAgo(60);
    await set(bystander, "mail_id = id, attempts = 10");
    expect(await deliver([lead], {}, dead)).toEqual(["done"]);
    expect(await mailRow(lead)).toMatchObject({ state: "failed", fault: "dead letter" });
    expect(await mailRow(other)).toMatchObject({ state: "failed", fault: "dead letter" });
    expect(await mailRow(bystander)).toMatchObject({ state: "pending" });
  });

  test("does not touch a mail that is being sent right now", async () => {
    const id = await dueAgo(60);
    await set(id, `mail_id = id, attempts = 10, not_before = ${Date.now() + minute}`);
    await deliver([id], {}, dead);
    expect(await mailRow(id)).toMatchObject({ state: "pending" });
  });

  test("does not touch a mail that was sent", async () => {
    const id = await dueAgo(60);
    await set(id, "attempts = 9");
    await consume([id], { now: () => now });
    await set(id, "attempts = 10");
    await deliver([id], {}, dead);
    expect(await mailRow(id)).toMatchObject({ state: "sent" });
  });

  test("comes again if the database does not answer", async () => {
    const id = await dueAgo(60);
    const DB = failingDatabase(env.DB, () => "refused");
    await expect(deliver([id], { DB }, dead)).rejects.toThrow();
    expect(await mailRow(id)).toMatchObject({ state: "pending" });
  });
});
