import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";
import { logEvent } from "~/platform/log";

/**
 * How long a mail must have been due before the sweep queues it again, in milliseconds. Longer than
 * the time between two sweeps, so that a sweep does not queue again what the last one has queued.
 */
const overdueMs = 15 * 60_000;
const maxRowsPerRun = 500;
/** The most messages that a queue takes at once. */
const maxMessagesPerSend = 100;

/**
 * Queues again the mails that were never queued and those whose sending broke off. Sets the time from
 * which they may be sent to now, so that the next sweep leaves them alone while they are in the queue.
 * @param now epoch milliseconds.
 * @returns how many mails.
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
        ORDER BY not_before LIMIT ${maxRowsPerRun})`,
    )
    .returning({ id: outbox.id });
  for (let start = 0; start < found.length; start += maxMessagesPerSend) {
    const part = found.slice(start, start + maxMessagesPerSend);
    try {
      await queue.sendBatch(part.map(({ id }) => ({ body: { outboxId: id } })));
    } catch (error) {
      logEvent("outbox_enqueue_failed", { rows: part.length, error });
    }
  }
  return found.length;
}
