import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";
import { minuteMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";

export type MailQueue = ReturnType<typeof createMailQueue>;

export function createMailQueue(
  queue: Pick<Queue<{ outboxId: string }>, "send">,
  waitUntil: (work: Promise<unknown>) => void,
) {
  async function send(outboxId: string, delayMs: number): Promise<void> {
    try {
      await queue.send({ outboxId }, { delaySeconds: Math.ceil(delayMs / 1000) });
    } catch (error) {
      logEvent("outbox_enqueue_failed", { outboxId, error });
    }
  }
  return {
    /** If the queue refuses the mail of an outbox row, the sweep (`requeueMails`) queues it later. */
    enqueue(outboxId: string, delayMs = 0) {
      waitUntil(send(outboxId, delayMs));
    },
  };
}

/** Longer than the time between two sweeps, so that no sweep repeats the last one. */
const overdueMs = 15 * minuteMs;
/** A code is queued when it is asked for, and is worth nothing when it is late. */
const codeOverdueMs = minuteMs;
const codeUseMs = 10 * minuteMs;
const maxRowsPerRun = 500;
const maxMessagesPerSend = 100;

type BatchQueue = Pick<Queue<{ outboxId: string }>, "sendBatch">;

/** Only the first of a user's gathering ratings is queued, because its mail takes along the others. */
const comesAfterAnother = sql`EXISTS (SELECT 1 FROM outbox AS earlier
  WHERE earlier.user_id = outbox.user_id AND earlier.kind = 'rating'
    AND earlier.state = 'pending' AND earlier.mail_id IS NULL AND earlier.rowid < outbox.rowid)`;

/**
 * Queues the mails that were never queued, and those whose sending broke off. Makes them due from now on, so that
 * the next sweep leaves them alone. Returns their number.
 */
export async function requeueMails(db: Database, queue: BatchQueue, now: number): Promise<number> {
  const isOverdue = sql`id IN (SELECT id FROM outbox
    WHERE state = 'pending' AND not_before < ${now - overdueMs}
      AND (mail_id = id OR mail_id IS NULL AND NOT (kind = 'rating' AND ${comesAfterAnother}))
    ORDER BY not_before, id LIMIT ${maxRowsPerRun})`;
  return requeue(db, queue, isOverdue, now);
}

/** The codes of logins that are of use for minutes yet: by a queue of their own, they wait for no other mail. */
export async function requeueCodes(
  db: Database,
  codeQueue: BatchQueue,
  now: number,
): Promise<number> {
  const isOverdue = sql`user_id IS NULL AND kind = 'login_code' AND created_at > ${now - codeUseMs}
    AND state = 'pending' AND not_before < ${now - codeOverdueMs}`;
  return requeue(db, codeQueue, isOverdue, now);
}

async function requeue(
  db: Database,
  queue: BatchQueue,
  isOverdue: SQL,
  now: number,
): Promise<number> {
  const rows = await db
    .update(outbox)
    .set({ notBefore: now })
    .where(isOverdue)
    .returning({ id: outbox.id });
  for (let start = 0; start < rows.length; start += maxMessagesPerSend) {
    const part = rows.slice(start, start + maxMessagesPerSend);
    try {
      await queue.sendBatch(part.map(({ id }) => ({ body: { outboxId: id } })));
    } catch (error) {
      logEvent("outbox_enqueue_failed", { rows: part.length, error });
    }
  }
  return rows.length;
}
