import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { confirmationCounts, emailConfirmations, users } from "~/db/schema";
import type { MailQueue } from "~/domain/owed-mail/mail-queue.server";
import { oweMail } from "~/domain/owed-mail/owe-mail.server";
import { type Refusal, refuse } from "~/domain/refusal";
import { isSigned, sign } from "~/platform/crypto.server";

const purpose = "confirm";
/** How long a mailed link confirms an address, in hours. */
export const confirmationHours = 24;
/**
 * As many confirmations are mailed within a day: for one user, however often the account is deleted
 * and made anew, and to one address whoever asks, so that nobody's mailbox can be filled from here.
 */
const maxPerUser = 5;
const maxPerAddress = 3;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

export const addressTexts = {
  already: "Your e-mails already go to this address.",
  tooMany:
    "Too many confirmation e-mails were requested, by you or for this address. Please try again tomorrow.",
  spent: "This link has expired, has been used, or was replaced by a later one.",
};

/** The token of the link that confirms an address. */
export async function confirmationToken(secret: string, confirmationId: string): Promise<string> {
  return `${confirmationId}.${await sign(secret, purpose, confirmationId)}`;
}

/**
 * Mails a link to an address, by which its reader confirms it as a user's own. Until then nothing
 * changes. Each request replaces the user's earlier ones.
 * @param address a valid address, in the user's spelling.
 * @param options `secret` signs the link; `now` is in epoch milliseconds.
 * @returns null once the mail is owed.
 */
export async function requestConfirmation(
  db: Database,
  userId: string,
  address: string,
  { secret, mailQueue, now }: { secret: string; mailQueue: MailQueue; now: number },
): Promise<Refusal | null> {
  const id = crypto.randomUUID();
  const outboxId = crypto.randomUUID();
  const written = sql`EXISTS (SELECT 1 FROM email_confirmations WHERE id = ${id})`;
  const [user] = await db
    .select({ spotifyId: users.spotifyId })
    .from(users)
    .where(eq(users.id, userId));
  const [byUser, byAddress] = await Promise.all([
    sign(secret, "count by user", user?.spotifyId ?? ""),
    sign(secret, "count by address", address.toLowerCase()),
  ]);
  const countOf = (fingerprint: string) => sql`(SELECT count(*) FROM confirmation_counts
    WHERE fingerprint = ${fingerprint} AND created_at > ${now - dayMs})`;
  const count = (fingerprint: string) =>
    insertSelect(
      db,
      confirmationCounts,
      { id: crypto.randomUUID(), fingerprint, createdAt: now },
      sql`WHERE ${written}`,
    );
  const [current, asked] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), sql`lower(${users.ownEmail}) = lower(${address})`)),
    insertSelect(
      db,
      emailConfirmations,
      { id, userId, address, createdAt: now, expiresAt: now + confirmationHours * hourMs },
      sql`FROM users WHERE id = ${userId} AND coalesce(lower(own_email), '') <> lower(${address})
            AND ${countOf(byUser)} < ${maxPerUser}
            AND ${countOf(byAddress)} < ${maxPerAddress}`,
    ).returning({ id: emailConfirmations.id }),
    oweMail(
      db,
      { id: outboxId, userId, kind: "confirmation", subjectId: id, now },
      sql`WHERE ${written}`,
    ),
    count(byUser),
    count(byAddress),
  ]);
  if (asked.length === 0) {
    return current.length > 0
      ? refuse(409, addressTexts.already)
      : refuse(429, addressTexts.tooMany);
  }
  mailQueue.enqueue(outboxId);
  return null;
}

/** The confirmation a token stands for. */
export interface Confirmation {
  id: string;
  address: string;
  displayName: string;
  /** Whether the link still does what it is for. */
  open: boolean;
  /** Whether mails go to this address already. */
  current: boolean;
}

/** The confirmation of a token; null where the token was altered or made up. */
export async function readConfirmation(
  db: Database,
  secret: string,
  token: string,
  now: number,
): Promise<Confirmation | null> {
  const [id, signature, ...more] = token.split(".");
  if (!id || !signature || more.length > 0) return null;
  if (!(await isSigned(secret, purpose, id, signature))) return null;
  const [found] = await db
    .select({
      id: emailConfirmations.id,
      address: emailConfirmations.address,
      displayName: users.displayName,
      open: isOpen(now).mapWith(Boolean).as("open"),
      current: sql<boolean>`${users.ownEmail} IS ${emailConfirmations.address}`
        .mapWith(Boolean)
        .as("current"),
    })
    .from(emailConfirmations)
    .innerJoin(users, eq(users.id, emailConfirmations.userId))
    .where(eq(emailConfirmations.id, id));
  return found ?? null;
}

/**
 * Makes a confirmed address the one its user's mails go to. A link does so once; pressed again
 * while that address stands, it is as good as the first time.
 */
export async function confirmAddress(
  db: Database,
  secret: string,
  token: string,
  now: number,
): Promise<Confirmation | Refusal> {
  const confirmation = await readConfirmation(db, secret, token, now);
  if (!confirmation) return refuse(403, addressTexts.spent);
  if (confirmation.current) return confirmation;
  const { id, address } = confirmation;
  const pressed = sql`EXISTS (SELECT 1 FROM email_confirmations WHERE id = ${id} AND used_at = ${now})`;
  const userId = sql`(SELECT user_id FROM email_confirmations WHERE id = ${id})`;
  const [used] = await db.batch([
    db
      .update(emailConfirmations)
      .set({ usedAt: now })
      .where(and(eq(emailConfirmations.id, id), isOpen(now)))
      .returning({ id: emailConfirmations.id }),
    db
      .update(emailConfirmations)
      .set({ usedAt: null, expiresAt: now })
      .where(sql`user_id = ${userId} AND used_at IS NOT NULL AND id <> ${id} AND ${pressed}`),
    db.update(users).set({ ownEmail: address }).where(sql`id = ${userId} AND ${pressed}`),
  ]);
  return used.length > 0 ? { ...confirmation, current: true } : refuse(403, addressTexts.spent);
}

/** Has a user's mails go to the address Spotify gives again, if it gives one. */
export async function removeAddress(db: Database, userId: string, now: number): Promise<void> {
  await db.batch([
    db.update(users).set({ ownEmail: null }).where(eq(users.id, userId)),
    db
      .update(emailConfirmations)
      .set({ usedAt: null, expiresAt: now })
      .where(and(eq(emailConfirmations.userId, userId), isNotNull(emailConfirmations.usedAt))),
  ]);
}

/** Lets the links expire that were mailed to a user's new addresses and not pressed. */
export async function forgetWaiting(db: Database, userId: string, now: number): Promise<void> {
  await db
    .update(emailConfirmations)
    .set({ expiresAt: now })
    .where(
      and(
        eq(emailConfirmations.userId, userId),
        isNull(emailConfirmations.usedAt),
        gt(emailConfirmations.expiresAt, now),
      ),
    );
}

/** Whether a confirmation's link still works: not used, not too old, and its user's last one. */
export function isOpen(now: number): SQL<boolean> {
  return sql<boolean>`(${emailConfirmations.usedAt} IS NULL AND ${emailConfirmations.expiresAt} > ${now}
    AND NOT EXISTS (
      SELECT 1 FROM email_confirmations AS later
      WHERE later.user_id = ${emailConfirmations.userId}
        AND (later.created_at, later.id) > (${emailConfirmations.createdAt}, ${emailConfirmations.id})))`;
}
