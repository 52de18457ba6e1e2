/**
 * The mails that an address does not get, whatever the account's switches say: it has unsubscribed from them,
 * or a mail came back or was reported as spam, which ends them all. Only the address's reader can change
 * that, by the link that confirms it (rule 34, unsubscribing).
 */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { listOf } from "~/db/expressions";
import { insertSelect } from "~/db/insert-select";
import { mailSuppressions } from "~/db/schema";
import { comparableAddress, hasDoubtfulTag, mailboxOf } from "~/members/mail-address";
import type { MailReturn } from "~/outbox/mailer";
import { sign } from "~/platform/crypto.server";
import { type MailTopic, mailTopics, returns, type Suppressed } from "./email-preferences";

/** Why a mail that somebody asks for would not come. */
export const addressTexts = {
  noAddress: "We have no e-mail address for you yet. Add one on your account page first.",
  ended:
    "These e-mails to your address have ended. To get them again, confirm it on your account page first.",
} as const;

export type SuppressedTopic = typeof mailSuppressions.$inferSelect.topic;

/** The same for every spelling and tag of one mailbox. */
export function addressFingerprint(secret: string, address: string): Promise<string> {
  return sign(secret, "unsubscribed address", mailboxOf(address));
}

export async function fingerprintOf(secret: string, address: string | null) {
  return address === null ? null : addressFingerprint(secret, address);
}

export function selectSuppressed(db: Database, fingerprint: string | SQL<string> | null) {
  return db
    .select({ topic: mailSuppressions.topic })
    .from(mailSuppressions)
    .where(eq(mailSuppressions.fingerprint, fingerprint ?? ""));
}

export function toSuppressed(topics: SuppressedTopic[]): Suppressed {
  const returned = returns.find((why) => topics.includes(why)) ?? null;
  const ends = mailTopics.map((topic) => [topic, returned !== null || topics.includes(topic)]);
  return { ended: Object.fromEntries(ends) as Suppressed["ended"], returned };
}

export async function readSuppressed(
  db: Database,
  secret: string,
  addresses: string[],
): Promise<(address: string | null) => Suppressed> {
  const fingerprints = new Map<string | null, string>();
  for (const address of addresses) {
    fingerprints.set(address, await addressFingerprint(secret, address));
  }
  const rows = await db
    .select()
    .from(mailSuppressions)
    .where(sql`${mailSuppressions.fingerprint} IN ${listOf([...fingerprints.values()])}`);
  return (address) => {
    const fingerprint = fingerprints.get(address);
    const own = rows.filter((row) => row.fingerprint === fingerprint);
    return toSuppressed(own.map(({ topic }) => topic));
  };
}

export async function suppressMails(
  db: Database,
  fingerprint: string,
  topic: MailTopic,
): Promise<void> {
  await db.insert(mailSuppressions).values({ fingerprint, topic }).onConflictDoNothing();
}

/**
 * Ends all mails to an address. An event from before the address was last confirmed changes nothing, so
 * events may come twice, late and in any order. Nor does a bounce of a tagged address that nobody has confirmed: who
 * has made it up would end the mails of the mailbox.
 */
export async function suppressReturned(
  db: Database,
  secret: string,
  { address, why, at }: MailReturn,
): Promise<void> {
  const fingerprint = await addressFingerprint(secret, address);
  const comparable = comparableAddress(address);
  const isConfirmed = sql`EXISTS (SELECT 1 FROM users
    WHERE own_email IS NOT NULL AND lower(own_email) = ${comparable})`;
  const isTheirs = why === "bounced" && hasDoubtfulTag(address) ? isConfirmed : sql`true`;
  const row = { fingerprint, topic: why, bouncedAt: why === "bounced" ? at : null };
  await insertSelect(db, mailSuppressions, {
    row,
    from: sql`WHERE NOT EXISTS (SELECT 1 FROM users
      JOIN mailed_proofs AS confirmed ON confirmed.asked_by = users.id
      WHERE users.own_email IS NOT NULL AND lower(users.own_email) = ${comparable}
        AND lower(confirmed.address) = ${comparable} AND confirmed.used_at >= ${at}) AND ${isTheirs}`,
  }).onConflictDoUpdate({
    target: [mailSuppressions.fingerprint, mailSuppressions.topic],
    set: { bouncedAt: sql`max(bounced_at, excluded.bounced_at)` },
  });
}

/** Without a topic: any mails. */
export function isSuppressed(fingerprint: string | null, topic?: MailTopic): SQL {
  const endingTopics = sql.join(
    [topic, ...returns].map((one) => sql`${one}`),
    sql`, `,
  );
  const andTopic = topic ? sql` AND topic IN (${endingTopics})` : sql``;
  return sql`EXISTS (SELECT 1 FROM mail_suppressions WHERE fingerprint = ${fingerprint}${andTopic})`;
}

export function liftSuppressions(db: Database, fingerprint: string, condition: SQL) {
  return db
    .delete(mailSuppressions)
    .where(sql`${eq(mailSuppressions.fingerprint, fingerprint)} AND ${condition}`);
}
