import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { mailboxIn } from "~/db/mailbox";
import { confirmationCounts, emailConfirmations, subscriptions, users } from "~/db/schema";
import { wayKey, waysOf } from "~/members/identity";
import { mailboxOf } from "~/members/mail-address";
import { members } from "~/members/member-count";
import { accountFingerprint, accountFingerprints, gainWay } from "~/members/what-outlives.server";
import type { MailQueue } from "~/outbox/mail-queue.server";
import { oweMail } from "~/outbox/owe-mail.server";
import { isSigned, sign } from "~/platform/crypto.server";
import { dayMs, dayOf, hourMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import {
  addressFingerprint,
  isSuppressed,
  liftSuppressions,
  readSuppressed,
} from "./suppression.server";

const purpose = "confirm";
export const confirmationHours = 24;
/**
 * Mailed within 24 hours (rule 35): to one user, by each way in and even across a deletion of the account; to one
 * mailbox, so that nobody can flood it, of which no user and no place uses up all; and from one place.
 */
const most = { user: 5, mailbox: 3, ofMailbox: 2, place: 12 };

export const addressTexts = {
  already: "Your e-mails already go to this address.",
  tooMany: "That is as many confirmation e-mails as we send in a day. Please try again tomorrow.",
  spent: "This link has expired, has already been used, or was replaced by a newer one.",
  taken:
    "This address belongs to another account here, so nothing was changed. Log in to that account and change its address, or delete it; then open this link again.",
  onlyWay:
    "This address is how you log in, so it cannot be removed. You can change it: confirm another one.",
};

export async function confirmationToken(secret: string, confirmationId: string): Promise<string> {
  return `${confirmationId}.${await sign(secret, purpose, confirmationId)}`;
}

/**
 * Mails a link by which an address's reader confirms it. Nothing changes until then. Replaces the user's
 * earlier requests. The current address may be asked for if it has unsubscribed from something: the link
 * brings those mails back. Null once the mail is owed.
 */
export async function requestConfirmation(
  db: Database,
  userId: string,
  address: string,
  { secret, mailQueue, now, places, perDay }: ConfirmationServices,
): Promise<Rejection | null> {
  const id = crypto.randomUUID();
  const [user] = await db
    .select({ spotifyId: users.spotifyId, ownEmail: users.ownEmail })
    .from(users)
    .where(eq(users.id, userId));
  const mailbox = mailboxOf(address);
  const counted: [by: string, key: string, most: number][] = [
    ...(user ? waysOf(user) : []).map((way): [string, string, number] => [
      "user",
      wayKey(way),
      most.user,
    ]),
    ["address", mailbox, most.mailbox],
    ["user and address", `${userId} ${mailbox}`, most.ofMailbox],
    ["place and address", `${places.at(-1)} ${mailbox}`, most.ofMailbox],
    ["place", places[0] ?? "", most.place],
  ];
  const [counts, fingerprint] = await Promise.all([
    Promise.all(
      counted.map(async ([by, key, most]) => ({
        of: await sign(secret, `count by ${by}`, key),
        most,
      })),
    ),
    addressFingerprint(secret, address),
  ]);
  const isCurrent = sql`(coalesce(lower(own_email), '') = lower(${address})
    AND NOT ${isSuppressed(fingerprint)})`;
  const sentWithinDay = (fingerprint: string) => sql`(SELECT count(*) FROM confirmation_counts
    WHERE fingerprint = ${fingerprint} AND created_at > ${now - dayMs})`;
  const isFull = sql`(${mailedToday(now)} >= ${perDay} / 2 + ${members} / 8)`;
  const isBelow = [
    sql`(SELECT count(*) FROM email_confirmations
      WHERE user_id = ${userId} AND created_at > ${now - dayMs}) < ${most.user}`,
    ...counts.map(({ of, most }) => sql`${sentWithinDay(of)} < ${most}`),
    sql`NOT ${isFull}`,
  ];
  const countMail = (fingerprint: string, isAsked: SQL) =>
    insertSelect(db, confirmationCounts, {
      row: { id: crypto.randomUUID(), fingerprint, createdAt: now },
      from: sql`WHERE ${isAsked}`,
    });
  const gate = insertSelect(db, emailConfirmations, {
    row: {
      id,
      userId,
      address,
      fingerprint,
      createdAt: now,
      expiresAt: now + confirmationHours * hourMs,
    },
    from: sql`FROM users WHERE id = ${userId} AND NOT ${isCurrent} AND ${and(...isBelow)}`,
  }).returning({ id: emailConfirmations.id });
  const { full, current, request } = await runBatch(db, {
    full: db.select({ isFull: asBoolean(isFull, "is_full") }).from(sql`(SELECT 1)`),
    current: db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), isCurrent)),
    request: gated(gate, hasRow(emailConfirmations, id), (isAsked) => ({
      mail: oweMail(
        { db, mailQueue },
        { id: crypto.randomUUID(), userId, kind: "confirmation", subjectId: id, now },
        sql`WHERE ${isAsked}`,
      ),
      counts: counts.map(({ of }) => countMail(of, isAsked)),
    })),
  });
  if (request.gate.length > 0) return null;
  if (full[0]?.isFull) logEvent("confirmations_full");
  return current.length > 0 ? reject(409, addressTexts.already) : reject(429, addressTexts.tooMany);
}

export interface ConfirmationServices {
  secret: string;
  mailQueue: MailQueue;
  now: number;
  /** The network that asks: its narrowest place, and those around it (`placesOf`). */
  places: string[];
  /** Codes of logins that are mailed a day before there are members. Of confirmations it is half as many. */
  perDay: number;
}

/** Of the day (UTC), counted by a trigger. */
function mailedToday(now: number): SQL {
  return sql`coalesce((SELECT count FROM daily_counts WHERE name = 'confirmation_mailed'
    AND day = ${dayOf(now)}), 0)`;
}

interface ConfirmationOptions {
  secret: string;
  now: number;
}

type Confirmation = NonNullable<Awaited<ReturnType<typeof readConfirmation>>>;

/** Null if the token was altered or made up. */
export async function readConfirmation(
  db: Database,
  token: string,
  { secret, now }: ConfirmationOptions,
) {
  const [id, signature, ...more] = token.split(".");
  if (!id || !signature || more.length > 0) return null;
  if (!(await isSigned(signature, { secret, purpose, text: id }))) return null;
  const [found] = await db
    .select({
      id: emailConfirmations.id,
      address: emailConfirmations.address,
      displayName: users.displayName,
      spotifyId: users.spotifyId,
      taken: asBoolean(isTaken(mailboxIn(emailConfirmations.address)), "taken"),
      open: asBoolean(isOpen(now), "open"),
      current: asBoolean(
        sql`(${emailConfirmations.usedAt} IS NOT NULL AND ${users.ownEmail} IS ${emailConfirmations.address})`,
        "current",
      ),
    })
    .from(emailConfirmations)
    .innerJoin(users, eq(users.id, emailConfirmations.userId))
    .where(eq(emailConfirmations.id, id));
  if (!found) return null;
  const suppressedAt = await readSuppressed(db, secret, [found.address]);
  const { ended: topics, returned } = suppressedAt(found.address);
  const ended = Object.values(topics).includes(true);
  // Unsubscribing after the link was used makes it count as unused.
  return { ...found, ended, returned, current: found.current && !ended };
}

/** Whether the mailbox is the only way into another account, or is to be that and another has confirmed it. */
function isTaken(mailbox: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM users AS other
    WHERE other.own_email IS NOT NULL AND other.own_mailbox = ${mailbox}
      AND other.id <> users.id AND (other.spotify_id IS NULL OR users.spotify_id IS NULL))`;
}

/**
 * From now on the user's mails go to this address, also those that it had unsubscribed from, and it is a way
 * in. A link works once; used again while its address is current, it succeeds and changes nothing. Refused is
 * an address that belongs to another account (trigger `users_own_address`); the link then stays good.
 */
export async function confirmAddress(
  db: Database,
  token: string,
  options: ConfirmationOptions,
): Promise<(Confirmation & MatchedCustomers) | Rejection> {
  const confirmation = await readConfirmation(db, token, options);
  if (!confirmation) return reject(403, addressTexts.spent);
  if (confirmation.current) return { ...confirmation, matchedCustomers: [] };
  const { id, address, spotifyId } = confirmation;
  const { secret, now } = options;
  const [fingerprint, gained, fingerprints] = await Promise.all([
    addressFingerprint(secret, address),
    accountFingerprint(secret, { spotifyId: null, ownEmail: address }),
    accountFingerprints(secret, { spotifyId, ownEmail: address }),
  ]);
  const hasUsed = sql`EXISTS (SELECT 1 FROM email_confirmations WHERE id = ${id} AND used_at = ${now})`;
  const userId = sql<string>`(SELECT user_id FROM email_confirmations WHERE id = ${id})`;
  const isFree = sql`users.id = ${userId} AND NOT ${isTaken(sql`${mailboxOf(address)}`)}`;
  const use = db
    .update(emailConfirmations)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailConfirmations.id, id),
        isOpen(now),
        sql`EXISTS (SELECT 1 FROM users WHERE ${isFree})`,
      ),
    )
    .returning({ id: emailConfirmations.id });
  const { free, confirmed } = await runBatch(db, {
    free: db.select({ id: users.id }).from(users).where(isFree),
    confirmed: gated(use, hasUsed, (isUsed) => ({
      earlier: db
        .update(emailConfirmations)
        .set({ usedAt: null, expiresAt: now })
        .where(sql`user_id = ${userId} AND used_at IS NOT NULL AND id <> ${id} AND ${isUsed}`),
      matched: selectMatched(db, userId, address),
      user: db.update(users).set({ ownEmail: address }).where(sql`id = ${userId} AND ${isUsed}`),
      suppressions: liftSuppressions(db, fingerprint, isUsed),
      way: gainWay(db, { userId, gained, fingerprints, now }, isUsed),
    })),
  });
  if (confirmed.gate.length === 0) {
    const isSpent = free.length > 0 || !confirmation.open;
    return isSpent ? reject(403, addressTexts.spent) : reject(409, addressTexts.taken);
  }
  const { matched } = confirmed.effects;
  return { ...confirmation, ...toMatched(matched), current: true, ended: false, returned: null };
}

/** Refused where the address is the only way in. */
export async function removeAddress(
  db: Database,
  userId: string,
  now: number,
): Promise<MatchedCustomers | Rejection> {
  const remove = db
    .update(users)
    .set({ ownEmail: null })
    .where(and(eq(users.id, userId), isNotNull(users.spotifyId)))
    .returning({ id: users.id });
  const isRemoved = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND own_email IS NULL)`;
  const { matched, removed } = await runBatch(db, {
    matched: selectMatched(db, userId, null),
    removed: gated(remove, isRemoved, (only) => ({
      confirmation: db
        .update(emailConfirmations)
        .set({ usedAt: null, expiresAt: now })
        .where(
          and(eq(emailConfirmations.userId, userId), isNotNull(emailConfirmations.usedAt), only),
        ),
    })),
  });
  return removed.gate.length > 0 ? toMatched(matched) : reject(409, addressTexts.onlyWay);
}

export interface MatchedCustomers {
  /**
   * The payment provider's customers that went by the address given up, or go by the one confirmed (rule 4).
   */
  matchedCustomers: string[];
}

/**
 * The statement that reads them, before the change: those of the user, and of whoever else has or had one by
 * the same address. One who is left with the address is its only user again.
 */
function selectMatched(db: Database, userId: SQL | string, confirmed: string | null) {
  const given = sql`(SELECT lower(own_email) FROM users WHERE id = ${userId})`;
  const isMatched = or(
    eq(subscriptions.userId, userId),
    sql`${subscriptions.matchedAddress} IN (${given}, lower(${confirmed}))`,
  );
  return db
    .select({ customerId: subscriptions.customerId })
    .from(subscriptions)
    .where(and(isMatched, isNotNull(subscriptions.matchedAddress)));
}

export function toMatched(rows: { customerId: string | null }[]): MatchedCustomers {
  return { matchedCustomers: rows.flatMap(({ customerId }) => customerId ?? []) };
}

/** What goes with an address that a new user has confirmed by a code, if `only` is true. */
export function confirmByCode(
  db: Database,
  {
    userId,
    address,
    fingerprint,
    now,
  }: {
    userId: string;
    address: string;
    fingerprint: string;
    now: number;
  },
  only: SQL,
) {
  return {
    matched: selectMatched(db, userId, address),
    confirmation: insertSelect(db, emailConfirmations, {
      row: {
        ...{ id: crypto.randomUUID(), userId, address, fingerprint },
        ...{ createdAt: now, usedAt: now, expiresAt: now + 1 },
      },
      from: sql`WHERE ${only}`,
    }),
    suppressions: liftSuppressions(db, fingerprint, only),
  };
}

/** The address that the user has not confirmed yet, and whether its mail came back. */
export function selectWaitingAddress(db: Database, userId: string, now: number) {
  return db
    .select({
      address: emailConfirmations.address,
      bounced: asBoolean(
        sql`EXISTS (SELECT 1 FROM mail_suppressions AS ended
          WHERE ended.fingerprint = email_confirmations.fingerprint AND ended.topic = 'bounced'
            AND ended.bounced_at >= email_confirmations.created_at)`,
        "bounced",
      ),
    })
    .from(emailConfirmations)
    .where(and(eq(emailConfirmations.userId, userId), isOpen(now)));
}

export function forgetWaitingAddress(db: Database, userId: string, now: number) {
  return db
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

/** The link is unused, not expired, and the user's latest. */
export function isOpen(now: number): SQL<boolean> {
  return sql<boolean>`(${emailConfirmations.usedAt} IS NULL AND ${emailConfirmations.expiresAt} > ${now}
    AND NOT EXISTS (
      SELECT 1 FROM email_confirmations AS later
      WHERE later.user_id = ${emailConfirmations.userId}
        AND (later.created_at, later.id) > (${emailConfirmations.createdAt}, ${emailConfirmations.id})))`;
}
