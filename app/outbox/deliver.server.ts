import type { Database, DatabaseAndClock } from "~/db/client.server";
import { sha256 } from "~/platform/crypto.server";
import { logEvent } from "~/platform/log";
import { withBackoff } from "./backoff.server";
import type { Letter, ReadLetters } from "./letter";
import { MailError, type Mailer } from "./mailer";
import {
  type ClaimedMail,
  markFailed,
  markSent,
  markSkipped,
  postpone,
  type RenderedMail,
  saveRendered,
} from "./outbox-status.server";
import { busyWaitSeconds, leaseMs, maxAttempts, retryWaitSeconds } from "./retry";

export interface DeliveryDependencies extends DatabaseAndClock {
  mailer: Mailer;
  readLetters: ReadLetters;
  /** Waits for some milliseconds; tests replace it. */
  wait?(ms: number): Promise<void>;
}

/** Outcome for the messages of a mail: they are acknowledged, or come again. */
export type Outcome = "done" | { retryInSeconds: number };

/** Mails that are worked on at once. Each needs a connection, and the platform allows six. */
const concurrency = 4;

/** A mail that can be sent. */
interface ReadyMail {
  mail: ClaimedMail;
  rendered: RenderedMail;
  unsubscribeUrl: string | null;
  /** It was rendered just now and is not saved yet. */
  isNew: boolean;
}

/** A mail that needs nothing more in this batch. */
interface SettledMail {
  mail: ClaimedMail;
  outcome: Outcome;
}

/**
 * Sends claimed mails and marks each as soon as it is sent. Before the first is sent, all are rendered
 * and saved in one round trip, so that every further attempt sends exactly the same.
 * @returns the outcome of each mail by its id.
 */
export async function deliverMails(
  mails: ClaimedMail[],
  dependencies: DeliveryDependencies,
): Promise<Map<string, Outcome>> {
  if (mails.length === 0) return new Map();
  const { db, wait } = dependencies;
  const mailer = withBackoff(dependencies.mailer, wait);
  const letters = await readLettersOfAll(mails, dependencies);
  const prepared = await forEachMail(mails, (mail) =>
    rescheduleAfterError(mail, () => prepare(mail, letters, dependencies)),
  );
  const saved = await saveNewMails(db, prepared);
  const settled = await forEachMail(saved, (one) =>
    "outcome" in one
      ? one
      : rescheduleAfterError(one.mail, () => send(one, { ...dependencies, mailer })),
  );
  return new Map(settled.map(({ mail, outcome }) => [mail.id, outcome]));
}

/** `Promise.all(list.map(work))` with at most `concurrency` at a time. */
async function forEachMail<T, Result>(
  list: T[],
  work: (item: T) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = list.entries();
  async function worker() {
    for (const [index, item] of entries) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

/**
 * Does a step of a mail's delivery. If it throws, the mail comes again when its claim has expired, and
 * the other mails go on.
 */
async function rescheduleAfterError<T>(
  mail: ClaimedMail,
  step: () => Promise<T>,
): Promise<T | SettledMail> {
  try {
    return await step();
  } catch (error) {
    logEvent("mail_attempt_failed", { outboxId: mail.id, attempts: mail.attempts, error });
    return { mail, outcome: { retryInSeconds: leaseMs / 1000 } };
  }
}

/** The letters of all mails; null if they cannot be read, which a single bad row can cause. */
async function readLettersOfAll(
  mails: ClaimedMail[],
  { readLetters }: DeliveryDependencies,
): Promise<Map<string, Letter> | null> {
  const ids = mails.map(({ id }) => id);
  try {
    return await readLetters(ids);
  } catch (error) {
    logEvent("mail_facts_unreadable", { mails: ids.length, error });
    return null;
  }
}

/**
 * Prepares a mail: chooses its recipient and renders it. A mail that is not to be sent is marked so.
 * @param letters null if each mail has to read its own.
 * @throws if the database does not answer or the mail cannot be rendered.
 */
async function prepare(
  mail: ClaimedMail,
  letters: Map<string, Letter> | null,
  { db, readLetters, now }: DeliveryDependencies,
): Promise<ReadyMail | SettledMail> {
  const { id, attempts } = mail;
  if (attempts > maxAttempts) {
    return giveUp({ db, now }, mail, { fault: "every attempt ended in an error" });
  }
  const letter = (letters ?? (await readLetters([id]))).get(id);
  if (!letter) return skip(db, mail, "gone");
  const recipient = await letter.recipient();
  if ("skip" in recipient) return skip(db, mail, recipient.skip);
  const { to, bcc, unsubscribeUrl } = recipient;
  const saved = savedMail(mail);
  // If the address has changed since, the mail is rendered again: its links were for the old one.
  if (saved?.to === to) return { mail, rendered: saved, unsubscribeUrl, isNew: false };
  const body = await letter.compose(unsubscribeUrl);
  if ("skip" in body) return skip(db, mail, body.skip);
  return { mail, rendered: { to, bcc, ...body }, unsubscribeUrl, isNew: true };
}

/** Saves the mails that were rendered just now; those that cannot be saved come again later. */
async function saveNewMails(
  db: Database,
  mails: (ReadyMail | SettledMail)[],
): Promise<(ReadyMail | SettledMail)[]> {
  try {
    await saveRendered(db, mails.filter(isUnsaved));
    return mails;
  } catch {
    // One mail that cannot be saved must not hold up the others.
    return forEachMail(mails, (one) => {
      if (!isUnsaved(one)) return one;
      return rescheduleAfterError(one.mail, async () => {
        await saveRendered(db, [one]);
        return one;
      });
    });
  }
}

function isUnsaved(one: ReadyMail | SettledMail): one is ReadyMail {
  return "isNew" in one && one.isNew;
}

/** @throws if the database does not answer. */
async function send(
  { mail, rendered, unsubscribeUrl }: ReadyMail,
  { db, mailer, now }: DeliveryDependencies,
): Promise<SettledMail> {
  const { id, kind, attempts, dedupeKey } = mail;
  try {
    const headers = unsubscribeHeaders(unsubscribeUrl);
    await mailer.send({ ...rendered, headers }, await idempotencyKey(dedupeKey, rendered.to));
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return postponeOrGiveUp(mail, error, { db, now });
  }
  await markSent(db, id, now());
  logEvent("mail_sent", { outboxId: id, kind, attempts });
  return { mail, outcome: "done" };
}

async function postponeOrGiveUp(
  mail: ClaimedMail,
  { reason, message, retryAfterSeconds }: MailError,
  { db, now }: Pick<DeliveryDependencies, "db" | "now">,
): Promise<SettledMail> {
  const { id, kind, attempts } = mail;
  if (reason === "setup") {
    await leaveToSweep(mail, message, { db, now });
    return { mail, outcome: "done" };
  }
  logEvent("mail_send_failed", { outboxId: id, kind, attempts, reason, fault: message });
  if (reason === "refused" || (reason === "failed" && attempts >= maxAttempts)) {
    return giveUp({ db, now }, mail, { fault: message, reason });
  }
  const retryInSeconds =
    reason === "busy" ? (retryAfterSeconds ?? busyWaitSeconds) : retryWaitSeconds(attempts);
  await postpone(db, id, {
    notBefore: now() + retryInSeconds * 1000,
    // A rate limit is not the mail's fault, so this attempt does not count.
    attempts: reason === "busy" ? attempts - 1 : attempts,
    fault: message,
  });
  return { mail, outcome: { retryInSeconds } };
}

/**
 * Leaves a mail to the sweep until the operator has mended the set-up. That may take any time, so the attempt
 * does not count, and the message is acknowledged: the sweep queues the mail again, every 15 to 25 minutes
 * until it is sent.
 */
async function leaveToSweep(
  { id, kind, attempts }: ClaimedMail,
  fault: string,
  { db, now }: Pick<DeliveryDependencies, "db" | "now">,
): Promise<void> {
  logEvent("mail_setup_fault", { outboxId: id, kind, reason: fault });
  await postpone(db, id, { notBefore: now(), attempts: attempts - 1, fault });
}

/** Marks a mail as failed for good. */
async function giveUp(
  { db, now }: Pick<DeliveryDependencies, "db" | "now">,
  mail: ClaimedMail,
  { fault, reason = fault }: { fault: string; reason?: string },
): Promise<SettledMail> {
  await markFailed(db, mail.id, { fault, now: now() });
  logEvent("mail_failed", { outboxId: mail.id, kind: mail.kind, reason });
  return { mail, outcome: "done" };
}

/** Marks a mail as not to be sent. */
async function skip(db: Database, mail: ClaimedMail, reason: string): Promise<SettledMail> {
  await markSkipped(db, mail.id, reason);
  logEvent("mail_skipped", { outboxId: mail.id, kind: mail.kind, why: reason });
  return { mail, outcome: "done" };
}

/** The mail as an earlier attempt rendered it; null if there is none. */
function savedMail({ to, bcc, subject, html, text }: ClaimedMail): RenderedMail | null {
  if (to === null || subject === null || html === null || text === null) return null;
  return { to, bcc, subject, html, text };
}

/** The headers by which mail clients offer their own unsubscribe button (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (!url) return {};
  return {
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** The key under which the provider sends one mail only, for each cause and address. */
async function idempotencyKey(dedupeKey: string, to: string): Promise<string> {
  return `${dedupeKey}/${(await sha256(to)).slice(0, 16)}`;
}
