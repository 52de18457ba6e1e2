import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { consumeOutbox, enqueueMail } from "~/domain/notification/outbox.server";
// @ts-expect-error: the bundle, which may not have been built yet, has no types.
import bundle from "../../build/index.js";
import { baseTime, insert, makeUser, unique } from "../support/factories";

const worker: { queue: ExportedHandlerQueueHandler<Cloudflare.Env, unknown> } = bundle;

async function makeMail(): Promise<string> {
  const id = unique("outbox");
  const { id: userId } = await makeUser();
  await insert("outbox", {
    id,
    user_id: userId,
    kind: "rating",
    subject_id: unique("rating"),
    dedupe_key: unique("key"),
    created_at: baseTime,
  }).run();
  return id;
}

function batchOf(...bodies: unknown[]) {
  const messages = bodies.map((body, index) => ({
    id: String(index),
    timestamp: new Date(baseTime),
    attempts: 1,
    body,
  }));
  return createMessageBatch<unknown>("fivefold-outbox", messages);
}

/** What becomes of each message when the built Worker has had the batch. */
async function consume(...bodies: unknown[]) {
  const batch = batchOf(...bodies);
  const execution = createExecutionContext();
  await worker.queue(batch, env, execution);
  return getQueueResult(batch, execution);
}

async function stateOf(id: string): Promise<unknown> {
  return env.DB.prepare("SELECT state FROM outbox WHERE id = ?").bind(id).first("state");
}

describe("a message from the queue", () => {
  test("that names a mail is done with, and the mail waits for a provider", async () => {
    const id = await makeMail();
    const result = await consume({ outboxId: id });
    expect(result).toMatchObject({ explicitAcks: ["0"], retryMessages: [] });
    expect(await stateOf(id)).toBe("pending");
  });

  test("that names none is dropped", async () => {
    const result = await consume({ outboxId: "no-such-mail" });
    expect(result).toMatchObject({ explicitAcks: ["0"], retryMessages: [] });
  });

  test.each([null, 7, "outbox-1", [], {}, { outboxId: 7 }, { outboxId: null }, { outboxId: "" }])(
    "that is malformed (%j) is dropped",
    async (body) => {
      const result = await consume(body);
      expect(result).toMatchObject({ explicitAcks: ["0"], retryMessages: [] });
    },
  );

  test("does not stand in the way of the others, nor does it matter that it comes twice", async () => {
    const [first, second] = [await makeMail(), await makeMail()];
    const result = await consume(
      { outboxId: first },
      null,
      { outboxId: "no-such-mail" },
      { outboxId: second },
      { outboxId: first },
    );
    expect(result).toMatchObject({
      explicitAcks: ["0", "1", "2", "3", "4"],
      retryMessages: [],
    });
  });
});

test("the whole batch comes again where the database does not answer", async () => {
  const prepare = () => {
    throw new Error("D1_ERROR: the database is away");
  };
  const away = createDatabase({ ...env.DB, prepare } as unknown as D1Database);
  const batch = batchOf({ outboxId: await makeMail() }, null);
  const execution = createExecutionContext();
  await consumeOutbox(batch, { db: away });
  const result = await getQueueResult(batch, execution);
  expect(result.explicitAcks).toEqual([]);
  expect(result.retryMessages.map(({ msgId }) => msgId)).toEqual(["0", "1"]);
});

test("a queue that refuses a mail costs nothing: the mail stands, still pending", async () => {
  const id = await makeMail();
  const send = async () => {
    throw new Error("Queue overloaded");
  };
  await expect(enqueueMail({ send }, id)).resolves.toBeUndefined();
  expect(await stateOf(id)).toBe("pending");
});
