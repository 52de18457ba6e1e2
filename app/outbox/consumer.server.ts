import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { runBatch } from "~/db/gated";
import { outbox } from "~/db/schema";
import { logEvent } from "~/platform/log";
import { type DeliveryDependencies, deliverMails, type Outcome } from "./deliver.server";
import { claimMails, type OutboxRow } from "./outbox-status.server";
import { longestWaitSeconds, maxAttempts } from "./retry";

/** The parts of a queue message that the consumers use. */
interface QueueMessage {
  body: unknown;
  ack(): void;
  retry(options?: { delaySeconds?: number }): void;
}

/** Wait of a batch when the database does not answer, in seconds. */
const databaseWaitSeconds = 60;

/**
 * Sends the mails of a batch of outbox ids (rule 33). However often an id comes, one consumer at a time
 * sends its mail, always the same bytes under the same key, and never again after it was marked as sent. A
 * message is acknowledged once its mail is sent, unwanted, failed for good, part of another mail or left to
 * the sweep; otherwise it comes again when the mail may be tried next.
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

/** Sends the mails that are due among some outbox rows. @returns the outcome of each row by its id. */
async function processRows(
  ids: string[],
  dependencies: DeliveryDependencies,
): Promise<Map<string, Outcome>> {
  const { db, now } = dependencies;
  try {
    const { claimed, rows } = await claimMails(db, ids, now());
    const unclaimed = ids.map((id): [string, Outcome] => {
      const row = rows.find((one) => one.id === id);
      return [id, outcomeOfUnclaimed(id, row, now())];
    });
    return new Map([...unclaimed, ...(await deliverMails(claimed, dependencies))]);
  } catch (error) {
    // A mail may have been claimed although the answer was lost. It waits until the claim expires.
    logEvent("outbox_batch_failed", { error });
    return new Map(ids.map((id) => [id, { retryInSeconds: databaseWaitSeconds }]));
  }
}

/** The outcome of a row that was not claimed: too early, in another consumer's hands, or done. */
function outcomeOfUnclaimed(id: string, row: OutboxRow | undefined, now: number): Outcome {
  if (!row) {
    // Nothing is owed any more, because an account was deleted.
    logEvent("outbox_row_gone", { outboxId: id });
    return "done";
  }
  const isInAnotherMail = row.mailId !== null && row.mailId !== id;
  if (row.state !== "pending" || isInAnotherMail) return "done";
  const waitSeconds = Math.ceil((row.notBefore - now) / 1000);
  // The rating was put off to a digest, which the sweep queues.
  if (waitSeconds > longestWaitSeconds) return "done";
  return { retryInSeconds: Math.max(1, waitSeconds) };
}

/**
 * Handles messages that the queue has given up on. No mail is lost: a mail that has used up its
 * attempts is marked as failed, any other is left to the sweep.
 */
export async function consumeDeadLetters(
  { messages }: { messages: readonly QueueMessage[] },
  db: Database,
  now: number,
): Promise<void> {
  const ids = messages.flatMap(({ body }) => outboxIdOf(body) ?? []);
  // The attempts at a mail are counted in the row that leads it, for all rows in it. If that row is not
  // due, the mail may be on its way right now.
  const usedUp = sql`FROM outbox
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
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

/** The outbox id in a message's body; null for a body that has none. */
function outboxIdOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("outboxId" in body)) return null;
  return typeof body.outboxId === "string" && body.outboxId !== "" ? body.outboxId : null;
}
