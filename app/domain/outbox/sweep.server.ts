import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";
import { logEvent } from "~/platform/log";
import { type OutboxMessage, outboxIdOf } from "./outbox.server";
import { maxAttempts } from "./retry";

/**
 * A row that has been due for so long is one that no message leads to, in milliseconds. Longer than
 * from one run to the next, so that none queues what the one before has queued.
 */
const overdueMs = 15 * 60_000;
/** As many rows a run, and as many messages as the queue takes at once. */
const rowsPerRun = 500;
const batchSize = 100;

/**
 * Queues again what was never queued, and what was left half-done. Each is due anew from now, so
 * that the next run does not take it for lost while the queue has it.
 * @returns how many rows.
 */
export async function sweepOutbox(
  db: Database,
  queue: Pick<Queue<{ outboxId: string }>, "sendBatch">,
  now: number,
): Promise<number> {
  const found = await db
    .update(outbox)
    .set({ notBefore: now })
    .where(
      sql`id IN (SELECT id FROM outbox
        WHERE state = 'pending' AND not_before < ${now - overdueMs}
          AND (mail_id IS NULL OR mail_id = id)
        ORDER BY not_before LIMIT ${rowsPerRun})`,
    )
    .returning({ id: outbox.id });
  for (let start = 0; start < found.length; start += batchSize) {
    const part = found.slice(start, start + batchSize);
    try {
      await queue.sendBatch(part.map(({ id }) => ({ body: { outboxId: id } })));
    } catch (error) {
      logEvent("outbox_enqueue_failed", { rows: part.length, error });
    }
  }
  return found.length;
}

/**
 * Takes what the queue has given up on. Its mails are not lost: a row that was tried often enough
 * is marked as failed, any other is left to the sweep.
 */
export async function consumeDeadLetters(
  batch: { messages: readonly OutboxMessage[] },
  db: Database,
  now: number,
): Promise<void> {
  const ids = batch.messages.flatMap(({ body }) => outboxIdOf(body) ?? []);
  const failed = await db
    .update(outbox)
    .set({ state: "failed", fault: "dead letter" })
    .where(
      // The attempts are counted in the row that leads a mail, for all that it tells of. One that is
      // not due may be on its way at this moment.
      sql`state = 'pending' AND mail_id IN (SELECT id FROM outbox
        WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
          AND attempts >= ${maxAttempts} AND not_before <= ${now})`,
    )
    .returning({ id: outbox.id });
  logEvent("outbox_dead_letters", { messages: ids.length, failed: failed.length });
  for (const message of batch.messages) message.ack();
}
