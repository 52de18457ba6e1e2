import { inArray } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";
import { logEvent } from "~/platform/log";

/** What the consumer needs of a queue message. */
export interface OutboxMessage {
  body: unknown;
  ack(): void;
  retry(): void;
}

/** What the consumer works with. */
export interface OutboxDependencies {
  db: Database;
}

/**
 * Hands the id of an outbox row to the queue. A queue that refuses costs nothing: the row stands,
 * still pending.
 */
export async function enqueueMail(
  queue: Pick<Queue<{ outboxId: string }>, "send">,
  outboxId: string,
): Promise<void> {
  try {
    await queue.send({ outboxId });
  } catch (error) {
    logEvent("outbox_enqueue_failed", { outboxId, error });
  }
}

/**
 * Takes a batch of outbox ids from the queue. A message that names no row is dropped; one that
 * does is acknowledged, its row staying pending until a mail provider takes it. Where the database
 * does not answer, the batch comes again.
 */
export async function consumeOutbox(
  batch: { messages: readonly OutboxMessage[] },
  { db }: OutboxDependencies,
): Promise<void> {
  const named = batch.messages.map((message) => ({ message, id: outboxIdOf(message.body) }));
  const ids = named.flatMap(({ id }) => (id ? [id] : []));
  try {
    const rows = await db
      .select({ id: outbox.id, kind: outbox.kind, state: outbox.state })
      .from(outbox)
      .where(inArray(outbox.id, ids));
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const { message, id } of named) {
      const row = id ? known.get(id) : undefined;
      logEvent(row ? "outbox_received" : "outbox_unknown", { outboxId: id, kind: row?.kind });
      message.ack();
    }
  } catch (error) {
    logEvent("outbox_batch_failed", { error });
    for (const { message } of named) message.retry();
  }
}

function outboxIdOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("outboxId" in body)) return null;
  return typeof body.outboxId === "string" ? body.outboxId : null;
}
