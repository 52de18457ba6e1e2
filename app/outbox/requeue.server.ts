import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";
import { logEvent } from "~/platform/log";

/**
 * Time that a mail must have been due before the sweep queues it again, in milliseconds. Longer than the time
 * between two sweeps, so that no sweep repeats the last one.
 */
const overdueMs = 15 * 60_000;
const maxRowsPerRun = 500;
/** The most messages that a queue takes at once. */
const maxMessagesPerSend = 100;

/**
 * The condition that another rating came first among those that are gathering for the same user. It is enough
 * to queue that one: its mail takes along the others, which can be hundreds in a week.
 */
const comesAfterAnother = sql`EXISTS (SELECT 1 FROM outbox AS earlier
  WHERE earlier.user_id = outbox.user_id AND earlier.kind = 'rating'
    AND earlier.state = 'pending' AND earlier.mail_id IS NULL AND earlier.rowid < outbox.rowid)`;

/**
 * Queues the digests that are due, the mails that were never queued, and those whose sending broke off. Sets
 * the time from which they may be sent to now, so that the next sweep leaves them alone while they are in
 * the queue.
 * @param now epoch milliseconds.
 * @returns the number of mails.
 */
export async function requeueMails(
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
          AND (mail_id = id OR mail_id IS NULL AND NOT (kind = 'rating' AND ${comesAfterAnother}))
        ORDER BY not_before, id LIMIT ${maxRowsPerRun})`,
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
