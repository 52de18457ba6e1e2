import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { listOf } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { outbox } from "~/db/schema";
import { logEvent } from "~/platform/log";
import { type DeliveryDependencies, deliverMails, type Outcome } from "./deliver.server";
import { claimMails, type OutboxRow } from "./outbox-status.server";
import { heldAt, maxAttempts } from "./retry";

interface QueueMessage {
  body: unknown;
  ack(): void;
  retry(options?: { delaySeconds?: number }): void;
}

const databaseWaitSeconds = 60;

/**
 * Sends the mails of a batch of outbox ids (rule 33, owed mails). However often an id comes, one consumer at a time sends
 * its mail, always the same bytes under the same key, and never again after it was marked as sent. A message
 * comes again when its mail may be tried next, unless nothing is left to do or the sweep does it.
 */
export async function consumeOutbox(
  { messages }: { messages: readonly QueueMessage[] },
  dependencies: DeliveryDependencies,
): Promise<void> {
  const ids = new Set(messages.flatMap(({ body }) => outboxIdOf(body) ?? []));
  const outcomes = await processRows([...ids], dependencies);
  for (const message of messages) {
    const outcome = outcomes.get(outboxIdOf(message.body) ?? "") ?? "done";
    if (outcome === "done") message.ack();
    else message.retry({ delaySeconds: outcome.retryInSeconds });
  }
}

async function processRows(
  ids: string[],
  dependencies: DeliveryDependencies,
): Promise<Map<string, Outcome>> {
  const { db, now } = dependencies;
  try {
    const { claimed, rows } = await claimMails(db, ids, now());
    const unclaimed = ids.map((id): [string, Outcome] => {
      const row = rows.find((candidate) => candidate.id === id);
      return [id, outcomeOfUnclaimed(id, row, now())];
    });
    return new Map([...unclaimed, ...(await deliverMails(claimed, dependencies))]);
  } catch (error) {
    // A mail whose claim was written, although the answer was lost, waits until the claim expires.
    logEvent("outbox_batch_failed", { error });
    return new Map(ids.map((id) => [id, { retryInSeconds: databaseWaitSeconds }]));
  }
}

function outcomeOfUnclaimed(id: string, row: OutboxRow | undefined, now: number): Outcome {
  if (!row) {
    logEvent("outbox_row_gone", { outboxId: id });
    return "done";
  }
  const isInAnotherMail = row.mailId !== null && row.mailId !== id;
  if (row.state !== "pending" || isInAnotherMail) return "done";
  // The mail of the rating that completes its submission takes it along.
  if (row.notBefore === heldAt) return "done";
  return { retryInSeconds: Math.max(1, Math.ceil((row.notBefore - now) / 1000)) };
}

/** The queue has given up on these. A mail that has used up its attempts has failed; the sweep queues any other. */
export async function consumeDeadLetters(
  { messages }: { messages: readonly QueueMessage[] },
  db: Database,
  now: number,
): Promise<void> {
  const ids = messages.flatMap(({ body }) => outboxIdOf(body) ?? []);
  // The row that leads a mail counts its attempts. If that row is not due, the mail may be on its way.
  const usedUp = sql`FROM outbox
    WHERE id IN ${listOf(ids)}
      AND attempts >= ${maxAttempts} AND not_before <= ${now}`;
  const { failed } = await runBatch(db, {
    count: countEvent(db, "mails_failed", now, {
      times: sql`count(*)`,
      from: sql`${usedUp} AND state = 'pending' AND mail_id = id HAVING count(*) > 0`,
    }),
    failed: db
      .update(outbox)
      .set({ state: "failed", fault: "dead letter" })
      .where(sql`state = 'pending' AND mail_id IN (SELECT id ${usedUp})`)
      .returning({ id: outbox.id }),
  });
  logEvent("outbox_dead_letters", { messages: ids.length, failed: failed.length });
  for (const message of messages) message.ack();
}

function outboxIdOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("outboxId" in body)) return null;
  return typeof body.outboxId === "string" && body.outboxId !== "" ? body.outboxId : null;
}
