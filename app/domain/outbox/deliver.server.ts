import { MailError, type Mailer } from "~/adapters/mail/mailer";
import type { Database } from "~/db/client.server";
import { sha256 } from "~/platform/crypto.server";
import { logEvent } from "~/platform/log";
import { withBackoff } from "./backoff.server";
import type { ClaimedMail } from "./claim.server";
import { type MailConfig, type MailFacts, readMailFacts } from "./compose.server";
import { busyWaitSeconds, leaseMs, maxAttempts, retryWaitSeconds } from "./retry";
import {
  markFailed,
  markSent,
  markSkipped,
  postpone,
  type RenderedMail,
  saveRendered,
} from "./status.server";

/** What the consumer works with. */
export interface OutboxDependencies {
  db: Database;
  mailer: Mailer;
  settings: MailConfig;
  /** Epoch milliseconds. */
  now(): number;
  /** Waits so many milliseconds; by the clock where it is not given. */
  wait?(ms: number): Promise<void>;
}

/** What becomes of a row's messages: they are done with, or come again after so many seconds. */
export type Outcome = { again: number } | "done";

/** Mails in hand at once, each with one connection: the platform lets six be open. */
const concurrency = 4;

/** A mail that can be sent. */
interface ReadyMail {
  mail: ClaimedMail;
  rendered: RenderedMail;
  unsubscribeUrl: string | null;
  /** Whether it was rendered now, and is yet to be kept. */
  isNew: boolean;
}

/**
 * Sends mails that were claimed. All are rendered, and kept in one round trip, before the first is
 * sent, so that whoever tries again sends the very same; each is marked as soon as it is out.
 * @param outcomes gets what becomes of each.
 */
export async function deliverAll(
  claimed: ClaimedMail[],
  outcomes: Map<string, Outcome>,
  dependencies: OutboxDependencies,
): Promise<void> {
  const { db } = dependencies;
  const shared = await readShared(claimed, dependencies);
  function broke({ id, attempts }: ClaimedMail, error: unknown) {
    logEvent("mail_attempt_broke", { outboxId: id, attempts, error });
    outcomes.set(id, { again: leaseMs / 1000 });
  }

  let ready: ReadyMail[] = [];
  await each(claimed, async (mail) => {
    try {
      const prepared = await prepare(mail, shared, dependencies);
      if (prepared) ready.push(prepared);
      else outcomes.set(mail.id, "done");
    } catch (error) {
      broke(mail, error);
    }
  });
  const rendered = ready.filter(({ isNew }) => isNew);
  try {
    await saveRendered(db, rendered);
  } catch {
    // One that cannot be kept must not hold up the others.
    await each(rendered, async (one) => {
      try {
        await saveRendered(db, [one]);
      } catch (error) {
        broke(one.mail, error);
        ready = ready.filter((other) => other !== one);
      }
    });
  }
  const mailer = withBackoff(dependencies.mailer, dependencies.wait);
  await each(ready, async (one) => {
    try {
      outcomes.set(one.mail.id, await send(one, { ...dependencies, mailer }));
    } catch (error) {
      broke(one.mail, error);
    }
  });
}

/** Does something for each, so many at once. */
async function each<T>(list: T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...list];
  async function worker() {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** What is known of all mails, read at once; null where one that cannot be read spoils it. */
async function readShared(
  mails: ClaimedMail[],
  { db, settings, now }: OutboxDependencies,
): Promise<MailFacts | null> {
  const ids = mails.map(({ id }) => id);
  try {
    return await readMailFacts(db, ids, settings, now());
  } catch (error) {
    logEvent("mail_facts_unreadable", { mails: ids.length, error });
    return null;
  }
}

/**
 * @param shared what is known of it; where null it is read for this mail alone.
 * @returns null where it is not to be sent, and marked so.
 * @throws where the database does not answer, or for a mail that cannot be rendered: it comes again
 * when the claim has lapsed.
 */
async function prepare(
  mail: ClaimedMail,
  shared: MailFacts | null,
  { db, settings, now }: OutboxDependencies,
): Promise<ReadyMail | null> {
  const { id, kind, attempts } = mail;
  if (attempts > maxAttempts) {
    await markFailed(db, id, "broke off every time");
    logEvent("mail_failed", { outboxId: id, kind, reason: "broke off every time" });
    return null;
  }
  const facts = shared ?? (await readMailFacts(db, [id], settings, now()));
  const addressed = await facts.address(id);
  if ("skip" in addressed) return skip(db, mail, addressed.skip);
  const { to, bcc, unsubscribeUrl } = addressed;
  // Where mails go elsewhere by now, what was rendered for the old address speaks for that one.
  const before = mail.to === to ? renderedBefore(mail) : null;
  if (before) return { mail, rendered: before, unsubscribeUrl, isNew: false };
  const rendered = await facts.render(id, unsubscribeUrl);
  if ("skip" in rendered) return skip(db, mail, rendered.skip);
  return { mail, rendered: { to, bcc, ...rendered }, unsubscribeUrl, isNew: true };
}

/** @throws where the database does not answer, as above. */
async function send(
  { mail, rendered, unsubscribeUrl }: ReadyMail,
  { db, mailer, now }: OutboxDependencies,
): Promise<Outcome> {
  const { id, kind, attempts, dedupeKey } = mail;
  try {
    const headers = unsubscribeHeaders(unsubscribeUrl);
    await mailer.send({ ...rendered, headers }, await keyOf(dedupeKey, rendered.to));
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
  if (reason === "refused" || (reason === "failed" && attempts >= maxAttempts)) {
    await markFailed(db, id, message);
    logEvent("mail_failed", { outboxId: id, kind, reason });
    return "done";
  }
  const again =
    reason === "busy" ? (retryAfterSeconds ?? busyWaitSeconds) : retryWaitSeconds(attempts);
  // A limit says nothing against the mail.
  const counted = reason === "busy" ? attempts - 1 : attempts;
  await postpone(db, id, { notBefore: now + again * 1000, attempts: counted, fault: message });
  return { again };
}

async function skip(db: Database, { id, kind }: ClaimedMail, why: string): Promise<null> {
  await markSkipped(db, id, why);
  logEvent("mail_skipped", { outboxId: id, kind, why });
  return null;
}

function renderedBefore({ to, bcc, subject, html, text }: ClaimedMail): RenderedMail | null {
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
