import { MailError, type Mailer } from "~/adapters/mail/mailer";
import type { Database } from "~/db/client.server";
import { sha256 } from "~/platform/crypto.server";
import { logEvent } from "~/platform/log";
import { type ClaimedMail, claimMails, type OutboxRow } from "./claim.server";
import { type MailFacts, type MailSettings, readMailFacts } from "./compose.server";
import { markFailed, markSent, markSkipped, postpone, saveRendered } from "./marks.server";
import { leaseMs, mostAttempts, retryWaitSeconds } from "./retry";

/** What the consumer needs of a queue message. */
export interface OutboxMessage {
  body: unknown;
  ack(): void;
  retry(options?: { delaySeconds?: number }): void;
}

/** What the consumer works with. */
export interface OutboxDependencies {
  db: Database;
  mailer: Mailer;
  settings: MailSettings;
  /** Epoch milliseconds. */
  now(): number;
}

/** Mails handed over at once: the platform lets six connections be open, and D1 may want one. */
const atOnce = 4;
/** How long the batch stays away where the database does not answer, in seconds. */
const databaseWaitSeconds = 60;
/** How long a limit is heeded where the provider does not say, in seconds. */
const busyWaitSeconds = 30;

/** What becomes of a row's messages: they are done with, or come again after so many seconds. */
type Outcome = { again: number } | "done";

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
  return { again: Math.max(1, Math.ceil((row.dueAt - now) / 1000)) };
}

async function deliverAll(
  claimed: ClaimedMail[],
  outcomes: Map<string, Outcome>,
  dependencies: OutboxDependencies,
): Promise<void> {
  const ids = claimed.map(({ id }) => id);
  const shared = await readShared(ids, dependencies);
  const left = [...claimed];
  async function work() {
    for (let mail = left.shift(); mail; mail = left.shift()) {
      try {
        outcomes.set(mail.id, await deliver(mail, shared, dependencies));
      } catch (error) {
        logEvent("mail_attempt_broke", { outboxId: mail.id, attempts: mail.attempts, error });
        outcomes.set(mail.id, { again: leaseMs / 1000 });
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** What is known of all mails, read at once; null where one that cannot be read spoils it. */
async function readShared(
  ids: string[],
  { db, settings, now }: OutboxDependencies,
): Promise<MailFacts | null> {
  try {
    return await readMailFacts(db, ids, settings, now());
  } catch (error) {
    logEvent("mail_facts_unreadable", { mails: ids.length, error });
    return null;
  }
}

/**
 * @param shared what is known of it; where null it is read for this mail alone.
 * @throws where the database does not answer, or for a mail that cannot be rendered: it comes again
 * when the claim has lapsed.
 */
async function deliver(
  mail: ClaimedMail,
  shared: MailFacts | null,
  { db, mailer, settings, now }: OutboxDependencies,
): Promise<Outcome> {
  const { id, kind, attempts } = mail;
  if (attempts > mostAttempts) {
    await markFailed(db, id, "broke off every time");
    logEvent("mail_failed", { outboxId: id, kind, reason: "broke off every time" });
    return "done";
  }
  const facts = shared ?? (await readMailFacts(db, [id], settings, now()));
  const addressed = await facts.address(id);
  if ("skip" in addressed) return skip(db, mail, addressed.skip);
  const { to, unsubscribeUrl } = addressed;
  // Where mails go elsewhere by now, what was rendered for the old address speaks for that one.
  let ready = mail.to === to ? renderedBefore(mail) : null;
  if (!ready) {
    const rendered = await facts.render(id, unsubscribeUrl);
    if ("skip" in rendered) return skip(db, mail, rendered.skip);
    ready = { to, bcc: addressed.bcc, ...rendered };
    // Before it is sent, so that whoever tries again sends the very same.
    await saveRendered(db, id, ready);
  }
  try {
    const headers = unsubscribeHeaders(unsubscribeUrl);
    await mailer.send({ ...ready, headers }, await keyOf(mail.dedupeKey, to));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return postponeOrFail(db, mail, error, now());
  }
  await markSent(db, id, now());
  logEvent("mail_sent", { outboxId: id, kind, attempts });
  return "done";
}

async function postponeOrFail(
  db: Database,
  { id, kind, attempts }: ClaimedMail,
  { reason, message, retryAfterSeconds }: MailError,
  now: number,
): Promise<Outcome> {
  logEvent("mail_not_taken", { outboxId: id, kind, attempts, reason, fault: message });
  if (reason === "refused" || (reason === "failed" && attempts >= mostAttempts)) {
    await markFailed(db, id, message);
    logEvent("mail_failed", { outboxId: id, kind, reason });
    return "done";
  }
  const again =
    reason === "busy" ? (retryAfterSeconds ?? busyWaitSeconds) : retryWaitSeconds(attempts);
  // A limit says nothing against the mail.
  const counted = reason === "busy" ? attempts - 1 : attempts;
  await postpone(db, id, { dueAt: now + again * 1000, attempts: counted, fault: message });
  return { again };
}

async function skip(db: Database, { id, kind }: ClaimedMail, why: string): Promise<Outcome> {
  await markSkipped(db, id, why);
  logEvent("mail_skipped", { outboxId: id, kind, why });
  return "done";
}

function renderedBefore({ to, bcc, subject, html, text }: ClaimedMail) {
  if (to === null || subject === null || html === null || text === null) return null;
  return { to, bcc, subject, html, text };
}

/** Unsubscribing by the mail client's own button (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (!url) return {};
  return {
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** One mail a cause and address. */
async function keyOf(dedupeKey: string, to: string): Promise<string> {
  return `${dedupeKey}/${(await sha256(to)).slice(0, 16)}`;
}

/** The row a message names; null where it is no message of this product. */
export function outboxIdOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("outboxId" in body)) return null;
  return typeof body.outboxId === "string" && body.outboxId !== "" ? body.outboxId : null;
}
