import { logEvent } from "~/platform/log";
import { claimMails, type OutboxRow } from "./claim.server";
import { deliverAll, type OutboxDependencies, type Outcome } from "./deliver.server";

/** What the consumer needs of a queue message. */
export interface OutboxMessage {
  body: unknown;
  ack(): void;
  retry(options?: { delaySeconds?: number }): void;
}

/** How long the batch stays away where the database does not answer, in seconds. */
const databaseWaitSeconds = 60;

/**
 * Hands the id of an outbox row to the queue. A queue that refuses costs nothing: the row stands,
 * and the sweep finds it.
 * @param delayMs before it is due.
 */
export async function enqueueMail(
  queue: Pick<Queue<{ outboxId: string }>, "send">,
  outboxId: string,
  delayMs = 0,
): Promise<void> {
  try {
    await queue.send({ outboxId }, { delaySeconds: Math.ceil(delayMs / 1000) });
  } catch (error) {
    logEvent("outbox_enqueue_failed", { outboxId, error });
  }
}

/**
 * Sends the mails of a batch of outbox ids (design section 4, "Mail"). However often an id comes, a
 * mail is sent by one consumer at a time, always the same bytes under the same key, and never again
 * once it is marked as sent. A message is acknowledged when its mail is sent, not wanted, failed for
 * good, or told of by another's; else it comes again when the row is due.
 */
export async function consumeOutbox(
  batch: { messages: readonly OutboxMessage[] },
  dependencies: OutboxDependencies,
): Promise<void> {
  const { db, now } = dependencies;
  const ids = new Set(batch.messages.flatMap(({ body }) => outboxIdOf(body) ?? []));
  const outcomes = new Map<string, Outcome>();
  try {
    const { claimed, rows } = await claimMails(db, [...ids], now());
    for (const id of ids) outcomes.set(id, unclaimed(id, rows.get(id), now()));
    if (claimed.length > 0) await deliverAll(claimed, outcomes, dependencies);
  } catch (error) {
    // What was claimed meanwhile comes again when the claim has lapsed.
    logEvent("outbox_batch_failed", { error });
    for (const id of ids) {
      if (!outcomes.has(id)) outcomes.set(id, { again: databaseWaitSeconds });
    }
  }
  for (const message of batch.messages) {
    const outcome = outcomes.get(outboxIdOf(message.body) ?? "") ?? "done";
    if (outcome === "done") message.ack();
    else message.retry({ delaySeconds: outcome.again });
  }
}

/** What becomes of a row as it was read after the claims; one just claimed comes again until sent. */
function unclaimed(id: string, row: OutboxRow | undefined, now: number): Outcome {
  if (!row) {
    logEvent("outbox_unknown", { outboxId: id });
    return "done";
  }
  const lead = row.mailId === null || row.mailId === id;
  if (row.state !== "pending" || !lead) return "done";
  return { again: Math.max(1, Math.ceil((row.notBefore - now) / 1000)) };
}

/** The row a message names; null where it is no message of this product. */
export function outboxIdOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("outboxId" in body)) return null;
  return typeof body.outboxId === "string" && body.outboxId !== "" ? body.outboxId : null;
}
