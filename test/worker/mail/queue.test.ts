import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { createMailQueue } from "~/outbox/mail-queue.server";
import { MailError } from "~/outbox/mailer";
import { rowsOf } from "../../support/database/contents";
import { baseTime, makeSong, makeUser } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { failingDatabase } from "../../support/faults/failing-database";
import {
  addressOf,
  consume,
  deliver,
  letTimePass,
  mailRow,
  mailsTo,
  owe,
  oweRating,
  postsTo,
  resend,
  stubMailer,
} from "../../support/mails";

/** A user who is owed a mail about a rating. */
async function owed(notBefore = baseTime) {
  const owner = await makeUser();
  const song = await makeSong(owner);
  return { owner, song, to: addressOf(owner), id: await oweRating(song, { notBefore }) };
}

describe("a message", () => {
  test("is acknowledged when its mail is sent", async () => {
    const { id, to } = await owed();
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailRow(id)).toMatchObject({ state: "sent" });
    expect(await mailsTo(to)).toHaveLength(1);
  });

  test("is dropped if there is no such mail", async () => {
    expect(await deliver(["no-such-mail"])).toEqual(["done"]);
  });

  test.each([null, 7, [], {}, { outboxId: 7 }, { outboxId: null }, { outboxId: "" }])(
    "is dropped if it is malformed (%j), and the rest of its batch is handled",
    async (body) => {
      const { id } = await owed();
      expect(await deliver([body, id])).toEqual(["done", "done"]);
      expect(await mailRow(id)).toMatchObject({ state: "sent" });
    },
  );

  test("that comes too early sends nothing, and comes again when its mail is due", async () => {
    const { id, to } = await owed(baseTime + 90_500);
    const now = () => baseTime;
    expect(await consume([id], { now })).toEqual([91]);
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0, mail_id: null });
    expect(await mailsTo(to)).toEqual([]);
    expect(await consume([id], { now: () => baseTime + 90_500 })).toEqual(["done"]);
    expect(await mailsTo(to)).toHaveLength(1);
  });

  test("about a mail that another consumer has claimed comes again when the claim expires", async () => {
    const { id } = await owed();
    const now = () => baseTime;
    let meanwhile: unknown;
    const mailer = {
      async send() {
        meanwhile = await consume([id], { now: () => baseTime + 60_000 });
      },
    };
    expect(await consume([id], { mailer, now })).toEqual(["done"]);
    expect(meanwhile).toEqual([240]);
  });
});

describe("the same message delivered five times sends one mail", () => {
  test("in one batch", async () => {
    const { id, to } = await owed();
    const outcomes = await deliver([id, id, id, id, id]);
    expect(outcomes).toEqual(["done", "done", "done", "done", "done"]);
    expect([await mailsTo(to), await postsTo(to)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("one after the other", async () => {
    const { id, to } = await owed();
    for (let n = 0; n < 5; n += 1) expect(await deliver([id])).toEqual(["done"]);
    expect([await mailsTo(to), await postsTo(to)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("to five consumers at once", async () => {
    const { id, to } = await owed();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => deliver([id])));
    expect(outcomes.flat().filter((outcome) => outcome === "done").length).toBeGreaterThan(0);
    expect(outcomes.flat()).not.toContain("unsettled");
    expect(await mailRow(id)).toMatchObject({ state: "sent", attempts: 1 });
    expect([await mailsTo(to), await postsTo(to)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("to five consumers, each of which dies before it can mark the mail as sent", async () => {
    const { id, to } = await owed();
    for (let n = 0; n < 5; n += 1) {
      const DB = failingDatabase(env.DB, (sql) => (sql.includes('"sent_at"') ? "refused" : "fine"));
      await deliver([id], { DB });
      await letTimePass();
    }
    expect(await deliver([id])).toEqual(["done"]);
    expect(await mailsTo(to)).toHaveLength(1);
    expect(await mailRow(id)).toMatchObject({ state: "sent", attempts: 6 });
  });
});

describe("a batch", () => {
  test("of ten mails sends all of them, at most four at a time", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      ids.push(await owe((await makeUser()).id, "premium_ended"));
    }
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
    expect(await rowsOf("SELECT DISTINCT state FROM outbox")).toEqual([{ state: "sent" }]);
  });

  test("saves every mail as rendered before it sends the first", async () => {
    const ids = [(await owed()).id, (await owed()).id, (await owed()).id];
    const kept: unknown[] = [];
    const mailer = {
      async send() {
        const sql = "SELECT count(html) AS kept FROM outbox WHERE state = 'pending'";
        kept.push(await env.DB.prepare(sql).first("kept"));
      },
    };
    await consume([ids[0]], { mailer: stubMailer(new MailError("failed", "unreachable")) });
    await letTimePass();
    expect(await consume(ids, { mailer })).toEqual(["done", "done", "done"]);
    expect(kept[0]).toBe(3);
  });

  test("that cannot save new mails sends those saved before", async () => {
    const [before, fresh] = [await owed(), await owed()];
    await consume([before.id], { mailer: stubMailer(new MailError("failed", "unreachable")) });
    await letTimePass();
    // Marking a mail as sent clears the same columns.
    const keeps = (sql: string) => sql.includes('"html" = ?') && !sql.includes('"sent_at"');
    const DB = failingDatabase(env.DB, (sql) => (keeps(sql) ? "refused" : "fine"));
    expect(await deliver([before.id, fresh.id], { DB })).toEqual(["done", 300]);
    expect(await mailsTo(fresh.to)).toEqual([]);
    await letTimePass();
    expect(await deliver([fresh.id])).toEqual(["done"]);
    expect([await mailsTo(before.to), await mailsTo(fresh.to)].map(({ length }) => length)).toEqual(
      [1, 1],
    );
  });

  test("saves and sends the others if one mail cannot be saved", async () => {
    const [broken, fine] = [await owed(), await owed()];
    const DB = failingDatabase(env.DB, (sql, _call, statements) => {
      if (!sql.includes('"html" = ?') || sql.includes('"sent_at"')) return "fine";
      if (statements > 1) return { broken: 0 };
      return brokenOnes.pop() ?? "fine";
    });
    const brokenOnes: ("refused" | "fine")[] = ["refused"];
    const outcomes = await deliver([broken.id, fine.id], { DB });
    expect(outcomes.toSorted()).toEqual([300, "done"]);
    await letTimePass();
    await deliver([broken.id, fine.id]);
    for (const { to } of [broken, fine]) expect(await mailsTo(to)).toHaveLength(1);
  });

  test("waits out a provider's limit of one second, and sends all", async () => {
    const ids = [(await owed()).id, (await owed()).id];
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const mailer = stubMailer(new MailError("busy", "429", 1));
    expect(await consume(ids, { mailer, wait })).toEqual(["done", "done"]);
    expect(waits).toEqual([1000]);
    expect(mailer.sent).toHaveLength(3);
    for (const id of ids) expect(await mailRow(id)).toMatchObject({ state: "sent", attempts: 1 });
  });

  test("comes again if the database does not answer, except for malformed messages", async () => {
    const { id, to } = await owed();
    const DB = failingDatabase(env.DB, () => "refused");
    expect(await deliver([id, null, "no-such-mail"], { DB })).toEqual([60, "done", 60]);
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0 });
    expect(await mailsTo(to)).toEqual([]);
  });

  test("sends the others if one mail fails because of a bug", async () => {
    const [broken, fine] = [await owed(), await owed()];
    const { send } = resend();
    const mailer = {
      async send(...[mail, key]: Parameters<typeof send>) {
        if (mail.to === broken.to) throw new TypeError("a fault of the program");
        await send(mail, key);
      },
    };
    expect(await consume([broken.id, fine.id], { mailer })).toEqual([300, "done"]);
    expect(await mailRow(broken.id)).toMatchObject({ state: "pending", attempts: 1 });
    expect(await mailsTo(fine.to)).toHaveLength(1);
  });

  test("is left to the platform's own retries if the environment is not valid", async () => {
    const { id } = await owed();
    await expect(deliver([id], { RESEND_API_KEY: "" })).rejects.toThrow("RESEND_API_KEY");
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0 });
  });
});

describe("queueing a mail", () => {
  /** Resolves when the Worker no longer needs to wait for it. */
  async function enqueue(queue: Parameters<typeof createMailQueue>[0], id: string, ms?: number) {
    const pending: Promise<unknown>[] = [];
    createMailQueue(queue, (work) => void pending.push(work)).enqueue(id, ms);
    expect(pending).toHaveLength(1);
    return pending[0];
  }

  test("sends the row's id, with the delay in whole seconds", async () => {
    const sent: unknown[] = [];
    const send = async (...parts: unknown[]) => void sent.push(parts);
    await enqueue({ send } as unknown as typeof env.OUTBOX_QUEUE, "outbox-1", 4500);
    expect(sent).toEqual([[{ outboxId: "outbox-1" }, { delaySeconds: 5 }]]);
  });

  test("loses nothing if the queue refuses: the mail is still pending", async () => {
    const { id } = await owed();
    const send = async () => {
      throw new Error("Queue overloaded");
    };
    await expect(enqueue({ send }, id)).resolves.toBeUndefined();
    expect(await mailRow(id)).toMatchObject({ state: "pending", attempts: 0 });
  });
});

test("a mail that was sent, skipped or has failed is not sent", async () => {
  exemptFromInvariants(
    "a mail has a sending time exactly if it was sent",
    "a skipped or failed mail says why",
  );
  const ids = [];
  for (const state of ["sent", "skipped", "failed"]) {
    const id = await owe((await makeUser()).id, "premium_ended");
    await env.DB.prepare("UPDATE outbox SET state = ?, mail_id = id WHERE id = ?")
      .bind(state, id)
      .run();
    ids.push(id);
  }
  const mailer = stubMailer();
  const db = createDatabase(env.DB);
  expect(await consume(ids, { db, mailer })).toEqual(["done", "done", "done"]);
  expect(mailer.sent).toEqual([]);
});
