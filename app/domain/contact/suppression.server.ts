/**
 * The mails that an address has unsubscribed from, whatever the account's own switches say. Neither
 * switching mails on nor deleting the account changes that: only the reader of the address can, by the link
 * that confirms it (rule 34).
 */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { mailSuppressions } from "~/db/schema";
import { sign } from "~/platform/crypto.server";
import type { MailTopic } from "./email-preferences";
import { comparableAddress } from "./mail-address";

/** The fingerprint of an address, by which the table knows it. The same for every spelling of one mailbox. */
export function addressFingerprint(secret: string, address: string): Promise<string> {
  return sign(secret, "unsubscribed address", comparableAddress(address));
}

/** The fingerprint of the address that a user's mails go to, if there is one. */
export async function fingerprintOf(secret: string, address: string | null) {
  return address === null ? null : addressFingerprint(secret, address);
}

/**
 * The statement that reads the topics that an address has unsubscribed from.
 * @param fingerprint null without an address, which yields no row.
 */
export function selectSuppressed(db: Database, fingerprint: string | SQL<string> | null) {
  return db
    .select({ topic: mailSuppressions.topic })
    .from(mailSuppressions)
    .where(eq(mailSuppressions.fingerprint, fingerprint ?? ""));
}

/** For each topic, whether it is in a list of those that an address has unsubscribed from. */
export function toSuppressed(ended: MailTopic[]): Record<MailTopic, boolean> {
  const has = (topic: MailTopic) => ended.includes(topic);
  return { rating: has("rating"), subscription: has("subscription"), songs: has("songs") };
}

/** Reads the topics that each of some addresses has unsubscribed from, in one round trip. */
export async function readSuppressed(
  db: Database,
  secret: string,
  addresses: string[],
): Promise<(address: string | null) => Record<MailTopic, boolean>> {
  const fingerprints = new Map<string | null, string>();
  for (const address of addresses) {
    fingerprints.set(address, await addressFingerprint(secret, address));
  }
  const list = JSON.stringify([...fingerprints.values()]);
  const rows = await db
    .select()
    .from(mailSuppressions)
    .where(sql`${mailSuppressions.fingerprint} IN (SELECT value FROM json_each(${list}))`);
  return (address) => {
    const fingerprint = fingerprints.get(address);
    const own = rows.filter((row) => row.fingerprint === fingerprint);
    return toSuppressed(own.map(({ topic }) => topic));
  };
}

/** Ends the mails about a topic to an address, for every account and for good. */
export async function suppressMails(
  db: Database,
  fingerprint: string,
  topic: MailTopic,
): Promise<void> {
  await db.insert(mailSuppressions).values({ fingerprint, topic }).onConflictDoNothing();
}

/** The condition that an address has unsubscribed from a topic, or from any without one. */
export function isSuppressed(fingerprint: string | null, topic?: MailTopic): SQL {
  const about = topic ? sql` AND topic = ${topic}` : sql``;
  return sql`EXISTS (SELECT 1 FROM mail_suppressions WHERE fingerprint = ${fingerprint}${about})`;
}

/** The statement that lets mails go to an address again, for the batch that confirms it. */
export function liftSuppressions(db: Database, fingerprint: string, only: SQL) {
  return db
    .delete(mailSuppressions)
    .where(sql`${eq(mailSuppressions.fingerprint, fingerprint)} AND ${only}`);
}
