import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { mailboxIn } from "~/db/mailbox";
import { mailedProofs, subscriptions, users } from "~/db/schema";
import { mailboxOf } from "~/members/mail-address";
import { members } from "~/members/member-count";
import { accountFingerprints, gainWay, wayFingerprint } from "~/members/what-outlives.server";
import { readToken, sign, signToken } from "~/platform/crypto.server";
import { dayMs, dayOf, hourMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { isOpen, type Limit, mailProof, type ProofServices } from "./mailed-proof.server";
import {
  addressFingerprint,
  isSuppressed,
  liftSuppressions,
  readSuppressed,
} from "./suppression.server";

const purpose = "confirm";
export const confirmationHours = 24;

/**
 * Rule 35, confirmations: of one user, by the account and by each way in, even across its deletion; to one mailbox, so that nobody can
 * flood it, of which no user and no place uses up all; and from one place. An IPv4 address has no /48.
 */
const limits: Limit[] = [
  [5, dayMs, "askedBy"],
  [5, dayMs, "spotifyWay"],
  [5, dayMs, "mailboxWay"],
  [3, dayMs, "fingerprint"],
  [2, dayMs, "fingerprint", "askedBy"],
  [2, dayMs, "fingerprint", "asker"],
  [2, dayMs, "fingerprint", "asker48"],
  [12, dayMs, "asker"],
];

export const addressTexts = {
  already: "Your e-mails already go to this address.",
  tooMany: "That is as many confirmation e-mails as we send in a day. Try again tomorrow.",
  spent: "This link has expired, has already been used, or was replaced by a newer one.",
  taken:
    "This address belongs to another account here, so nothing was changed. Log in to that account and change its address, or delete it; then open this link again.",
  onlyWay:
    "This address is how you log in, so it cannot be removed. You can change it: confirm another one.",
};

export function confirmationToken(secret: string, confirmationId: string): Promise<string> {
  return signToken(secret, purpose, confirmationId);
}

/**
 * Mails a link by which an address's reader confirms it. Nothing changes until then. Replaces the user's
 * earlier requests. The current address may be asked for if it has unsubscribed from something: the link
 * brings those mails back. Null once the mail is owed.
 */
export async function requestConfirmation(
  userId: string,
  address: string,
  services: ProofServices,
): Promise<Rejection | null> {
  const { db, secret, now, perDay } = services;
  const fingerprint = await addressFingerprint(secret, address);
  const isCurrent = sql`(coalesce(lower(own_email), '') = lower(${address})
    AND NOT ${isSuppressed(fingerprint)})`;
  const isUser = eq(users.id, userId);
  const [user] = await db
    .select({
      spotifyId: users.spotifyId,
      ownEmail: users.ownEmail,
      isCurrent: asBoolean(isCurrent, "is_current"),
    })
    .from(users)
    .where(isUser);
  if (user?.isCurrent) return reject(409, addressTexts.already);
  const { spotifyId = null, ownEmail = null } = user ?? {};
  const byWay = (key: string) => sign(secret, "proof by way", key);
  const asked = {
    ...{ id: crypto.randomUUID(), kind: "confirmation" as const, address, askedBy: userId },
    spotifyWay: spotifyId && (await byWay(spotifyId)),
    mailboxWay: ownEmail && (await byWay(mailboxOf(ownEmail))),
    expiresAt: now + confirmationHours * hourMs,
  };
  const isFull = sql`${mailedToday(now)} >= ${perDay} / 2 + ${members} / 8`;
  const full = await mailProof(services, asked, {
    mail: { kind: "confirmation", userId },
    limits,
    allUntil: sql<number>`iif(${isFull}, ${now}, 0)`,
    condition: sql`EXISTS (SELECT 1 FROM users WHERE ${isUser} AND NOT ${isCurrent})`,
  });
  if (full?.all) logEvent("confirmations_full");
  return full && reject(429, addressTexts.tooMany);
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
  const id = await readToken(secret, purpose, token);
  if (id === null) return null;
  const [found] = await db
    .select({
      id: mailedProofs.id,
      address: mailedProofs.address,
      displayName: users.displayName,
      spotifyId: users.spotifyId,
      taken: asBoolean(isTaken(mailboxIn(mailedProofs.address)), "taken"),
      open: asBoolean(isOpen(now), "open"),
      current: asBoolean(
        sql`(${mailedProofs.usedAt} IS NOT NULL AND ${users.ownEmail} IS ${mailedProofs.address})`,
        "current",
      ),
    })
    .from(mailedProofs)
    .innerJoin(users, eq(users.id, mailedProofs.askedBy))
    .where(eq(mailedProofs.id, id));
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
    wayFingerprint(secret, "ownEmail", address),
    accountFingerprints(secret, { spotifyId, ownEmail: address }),
  ]);
  const hasUsed = sql`EXISTS (SELECT 1 FROM mailed_proofs WHERE id = ${id} AND used_at = ${now})`;
  const userId = sql<string>`(SELECT asked_by FROM mailed_proofs WHERE id = ${id})`;
  const isFree = sql`users.id = ${userId} AND NOT ${isTaken(sql`${mailboxOf(address)}`)}`;
  const use = db
    .update(mailedProofs)
    .set({ usedAt: now })
    .where(
      and(eq(mailedProofs.id, id), isOpen(now), sql`EXISTS (SELECT 1 FROM users WHERE ${isFree})`),
    )
    .returning({ id: mailedProofs.id });
  const { free, confirmed } = await runBatch(db, {
    free: db.select({ id: users.id }).from(users).where(isFree),
    confirmed: gated(use, hasUsed, (isUsed) => ({
      earlier: endProofs(db, userId, now, sql`used_at IS NOT NULL AND id <> ${id} AND ${isUsed}`),
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
      confirmation: endProofs(db, userId, now, sql`used_at IS NOT NULL AND ${only}`),
    })),
  });
  return removed.gate.length > 0 ? toMatched(matched) : reject(409, addressTexts.onlyWay);
}

export interface MatchedCustomers {
  /**
   * The payment provider's customers that went by the address given up, or go by the one confirmed (rule 4, whose premium).
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
    confirmation: insertSelect(db, mailedProofs, {
      // Without a fingerprint: it was not mailed, and counts for no mailbox.
      row: {
        ...{ id: crypto.randomUUID(), kind: "confirmation", address, askedBy: userId },
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
      address: mailedProofs.address,
      bounced: asBoolean(
        sql`EXISTS (SELECT 1 FROM mail_suppressions AS ended
          WHERE ended.fingerprint = mailed_proofs.fingerprint AND ended.topic = 'bounced'
            AND ended.bounced_at >= mailed_proofs.created_at)`,
        "bounced",
      ),
    })
    .from(mailedProofs)
    .where(and(eq(mailedProofs.askedBy, userId), isOpen(now)));
}

export function forgetWaitingAddress(db: Database, userId: string, now: number) {
  return endProofs(db, userId, now, sql`used_at IS NULL AND expires_at > ${now}`);
}

function endProofs(db: Database, userId: SQL | string, now: number, which: SQL) {
  return db
    .update(mailedProofs)
    .set({ usedAt: null, expiresAt: now })
    .where(sql`asked_by = ${userId} AND ${which}`);
}
