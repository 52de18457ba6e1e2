import type { Database, DatabaseAndClock } from "~/db/client.server";
import { sha256 } from "~/platform/crypto.server";
import { logEvent } from "~/platform/log";
import { withBackoff } from "./backoff.server";
import { type MailBody, MailError, type Mailer, type RenderedMail } from "./mailer";
import {
  type ClaimedMail,
  markFailed,
  markSent,
  markSkipped,
  postpone,
  saveRendered,
} from "./outbox-status.server";
import { busyWaitSeconds, leaseMs, maxAttempts, retryWaitSeconds } from "./retry";

/** What the outbox knows of a mail: whom it goes to and what it says, both decided at every attempt. */
interface Letter {
  recipient(): Promise<Recipient | Skip>;
  compose(unsubscribeUrl: string | null): Promise<MailBody | Skip>;
}

export interface Recipient {
  to: string;
  bcc?: string | null;
  unsubscribeUrl?: string;
  /** What the mail says is never stored. Each attempt writes it again, in the same words. */
  isSecret?: boolean;
}

export interface Skip {
  skip: string;
}

/** Letters by the outbox rows' ids, without those whose user is gone. Throws if one cannot be read. */
export type ReadLetters = (ids: string[]) => Promise<Map<string, Letter>>;

export interface DeliveryDependencies extends DatabaseAndClock {
  mailer: Mailer;
  readLetters: ReadLetters;
  wait?(ms: number): Promise<void>;
}

export type Outcome = "done" | { retryInSeconds: number };

/** Each mail needs a connection, and the platform allows six. */
const concurrency = 4;

interface ReadyMail {
  mail: ClaimedMail;
  rendered: RenderedMail;
  unsubscribeUrl: string | null;
  isToBeSaved: boolean;
}

interface SettledMail {
  mail: ClaimedMail;
  outcome: Outcome;
}

/**
 * Sends claimed mails and marks each as soon as it is sent. All are rendered and saved, unless they are secret,
 * before the first is sent, so that every further attempt sends exactly the same. Returns the outcomes by the mails' ids.
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
  const settled = await forEachMail(saved, (entry) =>
    "outcome" in entry
      ? entry
      : rescheduleAfterError(entry.mail, () => send(entry, { ...dependencies, mailer })),
  );
  return new Map(settled.map(({ mail, outcome }) => [mail.id, outcome]));
}

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

/** If a step throws, its mail comes again when the claim has expired, and the other mails go on. */
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

/** Null if a bad row makes all letters unreadable. Each mail then reads its own. */
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
  const { to, bcc = null, unsubscribeUrl = null, isSecret = false } = recipient;
  const saved = savedMail(mail);
  // If the address has changed, the mail is rendered again, because its links were for the old one.
  if (saved?.to === to) return { mail, rendered: saved, unsubscribeUrl, isToBeSaved: false };
  const body = await letter.compose(unsubscribeUrl);
  if ("skip" in body) return skip(db, mail, body.skip);
  return { mail, rendered: { to, bcc, ...body }, unsubscribeUrl, isToBeSaved: !isSecret };
}

async function saveNewMails(
  db: Database,
  mails: (ReadyMail | SettledMail)[],
): Promise<(ReadyMail | SettledMail)[]> {
  try {
    await saveRendered(db, mails.filter(isUnsaved));
    return mails;
  } catch {
    return forEachMail(mails, (entry) => {
      if (!isUnsaved(entry)) return entry;
      return rescheduleAfterError(entry.mail, async () => {
        await saveRendered(db, [entry]);
        return entry;
      });
    });
  }
}

function isUnsaved(entry: ReadyMail | SettledMail): entry is ReadyMail {
  return "isToBeSaved" in entry && entry.isToBeSaved;
}

async function send(
  { mail, rendered, unsubscribeUrl }: ReadyMail,
  { db, mailer, now }: DeliveryDependencies,
): Promise<SettledMail> {
  const { id, kind, attempts, dedupeKey } = mail;
  try {
    const headers = unsubscribeHeaders(unsubscribeUrl);
    const recipient = (await sha256(rendered.to)).slice(0, 16);
    await mailer.send({ ...rendered, headers }, `${dedupeKey}/${recipient}`);
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
  { db, now }: DatabaseAndClock,
): Promise<SettledMail> {
  const { id, kind, attempts } = mail;
  if (reason === "setup") {
    // Until the operator mends the set-up, the sweep queues the mail every 15 to 25 minutes. No attempt counts.
    logEvent("mail_setup_fault", { outboxId: id, kind, reason: message });
    await postpone(db, id, { notBefore: now(), attempts: attempts - 1, fault: message });
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

async function giveUp(
  { db, now }: DatabaseAndClock,
  mail: ClaimedMail,
  { fault, reason = fault }: { fault: string; reason?: string },
): Promise<SettledMail> {
  await markFailed(db, mail.id, { fault, now: now() });
  logEvent("mail_failed", { outboxId: mail.id, kind: mail.kind, reason });
  return { mail, outcome: "done" };
}

async function skip(db: Database, mail: ClaimedMail, reason: string): Promise<SettledMail> {
  await markSkipped(db, mail.id, reason);
  logEvent("mail_skipped", { outboxId: mail.id, kind: mail.kind, why: reason });
  return { mail, outcome: "done" };
}

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
