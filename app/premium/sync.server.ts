import { and, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { type Batch, hasRow, type Results, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { billingEvents, outbox, subscriptions, users } from "~/db/schema";
import { comparableAddress } from "~/members/mail-address";
import { noSubscription, type SubscriptionRecord } from "~/members/tiers";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { logEvent } from "~/platform/log";
import { type BilledSubscription, BillingError, type NextPayment } from "./billing";
import {
  isLive,
  isReplaced,
  mailOwed,
  noRecord,
  pickSubscription,
  type Reading,
  recordOf,
  renews,
} from "./record";
import type { Billing } from "./stripe.server";

export interface BillingServices extends DatabaseAndClock, OwedMailServices {
  billing: Billing;
}

interface Synced<Also> {
  userId: string;
  record: SubscriptionRecord;
  also: Results<Also>;
}

/** A subscription that is no user's. Nothing was written. */
interface Unclaimed {
  userId: null;
  record: SubscriptionRecord;
}

interface Owner {
  userId: string;
  /** `recordBefore` when it was read. */
  before: string | null;
  /** In lower case, if this confirmed address alone makes the customer theirs. */
  matchedAddress: string | null;
}

/** A change on each attempt is a fault: whoever asked, or the provider, asks again. */
const maxAttempts = 10;

interface Hint {
  /** Who began the checkout, if that is known. */
  userId: string | null;
  /** `recordBefore`, where the customer is on that user's record. */
  before?: string | null;
  /** Is remembered with the record. */
  eventId?: string | undefined;
}

/**
 * Reads a customer from the payment provider, and writes the subscription's record with the mail that it owes.
 * Status and tier change in no other way, and callers are trusted for the customer's id and for who began its
 * checkout alone. `also` comes at the end of the batch that writes.
 * @throws BillingError if the provider does not answer.
 */
export async function syncCustomer<Also extends Batch = null>(
  services: BillingServices,
  customerId: string,
  hint: Hint = { userId: null },
  also: Also = null as never,
): Promise<Synced<Also> | Unclaimed> {
  let known = hint;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const synced = await trySync(services, customerId, known, also);
    if (synced) return synced;
    // In between, the record has changed, or the account is deleted or has given up the address.
    known = { userId: hint.userId, eventId: hint.eventId };
  }
  throw new Error("The subscription's record changes while it is written");
}

/** Null if the record is not as it was read any more. */
async function trySync<Also extends Batch>(
  services: BillingServices,
  customerId: string,
  hint: Hint,
  also: Also,
): Promise<Synced<Also> | Unclaimed | null> {
  const { db, billing, now } = services;
  // Taken before the provider is asked, because the answer may be as old as that.
  const askedAt = now();
  const [found, { productId }, owner] = await Promise.all([
    billing.subscriptions(customerId),
    billing.premiumPrice(),
    findOwner({ db, billing }, customerId, hint),
  ]);
  const picked = pickSubscription(found, productId);
  const record = recordOf(picked, await nextPayment(billing, picked, productId));
  const live = found.filter(
    (subscription) => isLive(subscription) && subscription.productIds.includes(productId),
  );
  // An e-mail address proves little, so it claims only a customer with a subscription to this product.
  if (!owner || (owner.matchedAddress !== null && record.subscriptionId === null)) {
    if (live.length > 0) logEvent("customer_of_nobody", { customerId });
    await endMatch(db, customerId, { unless: null });
    return { userId: null, record };
  }
  if (live.length > 1) logEvent("second_live_subscription", { customerId });
  const { userId } = owner;
  const written = await runBatch(db, {
    ...write(services, owner, { record, customerId, askedAt }, hint.eventId),
    also,
  });
  return written.stands.length > 0 ? { userId, record, also: written.also } : null;
}

/** Without it, screens say nothing of the renewal. */
async function nextPayment(
  billing: Billing,
  subscription: BilledSubscription | null,
  productId: string,
): Promise<NextPayment | null> {
  if (!subscription || !renews(subscription)) return null;
  try {
    return await billing.nextPayment(subscription.id, productId);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("next_payment_not_read", { error });
    return null;
  }
}

/** For customers whose subscription went by an address that somebody has given up or confirmed. */
export async function syncMatched(services: BillingServices, customerIds: string[]): Promise<void> {
  for (const customerId of customerIds) {
    try {
      await syncCustomer(services, customerId);
    } catch (error) {
      if (!(error instanceof BillingError)) throw error;
      logEvent("match_not_synced", { customerId, error });
    }
  }
}

/**
 * Finds the user of a customer: the one on record, unless only an address had led there; else the one who
 * began the checkout, or for whom the customer was made; else, for a subscription made without the product,
 * the only user who has confirmed its e-mail address (rule 4, whose premium). An address from Spotify proves nothing.
 */
async function findOwner(
  { db, billing }: Pick<BillingServices, "db" | "billing">,
  customerId: string,
  { userId, before }: Hint,
): Promise<Owner | null> {
  if (userId && before !== undefined) return { userId, before, matchedAddress: null };
  const customer = userId ? null : await billing.customer(customerId);
  // The event that names the user who began the checkout may arrive last.
  const named = userId ?? customer?.userId ?? (await billing.findCheckoutUser(customerId));
  const email = customer?.email ? comparableAddress(customer.email) : null;
  // A customer that is deleted has no address any more.
  const address = sql`coalesce(${email}, (SELECT ${subscriptions.matchedAddress} FROM ${subscriptions}
    WHERE ${eq(subscriptions.customerId, customerId)}))`;
  const ownAddress = sql<string>`lower(${users.ownEmail})`;
  const { known, candidates } = await runBatch(db, {
    known: db
      .select({
        userId: subscriptions.userId,
        before: recordBefore(sql`subscriptions.user_id`).as("before"),
      })
      .from(subscriptions)
      .where(and(eq(subscriptions.customerId, customerId), isNull(subscriptions.matchedAddress))),
    candidates: db
      .select({
        userId: users.id,
        address: ownAddress.as("own_address"),
        before: recordBefore(sql`users.id`).as("before"),
      })
      .from(users)
      .where(
        named
          ? eq(users.id, named)
          : sql`${ownAddress} = ${address} AND ${users.ownEmail} IS NOT NULL`,
      )
      .limit(2),
  });
  if (known[0]) return { ...known[0], matchedAddress: null };
  const [only, another] = candidates;
  // Two users with this address have the same claim to it.
  return only && !another ? { ...only, matchedAddress: named ? null : only.address } : null;
}

/** A `RecordBefore` as one value, which shows whether any of it has changed; null without a record. */
export function recordBefore(userId: SQL): SQL<string | null> {
  return sql`(SELECT json_object('status', status, 'tier', tier, 'subscriptionId', subscription_id,
      'cancelAt', cancel_at, 'customerId', customer_id, 'syncedAt', synced_at,
      'cancellationMailedAt', (SELECT max(created_at) FROM outbox
        WHERE outbox.user_id = known.user_id AND kind = 'premium_cancelled' AND state <> 'skipped'))
    FROM subscriptions AS known WHERE known.user_id = ${userId})`;
}

/** The owner's address may have changed since it was read. */
function isOwner({ userId, matchedAddress }: Owner): SQL | undefined {
  const holders = sql`(SELECT group_concat(id) FROM users
    WHERE own_email IS NOT NULL AND lower(own_email) = ${matchedAddress})`;
  return and(
    eq(users.id, userId),
    matchedAddress === null ? undefined : sql`${holders} = ${userId}`,
  );
}

/** Ends the record of a user to whom only an address had led. If another user has the customer now, it goes there. */
function endMatch(db: Database, customerId: string, { unless: owner }: { unless: Owner | null }) {
  const taken = owner ? { customerId: null, matchedAddress: null } : {};
  return db
    .update(subscriptions)
    .set({ ...noSubscription, ...taken })
    .where(
      and(
        eq(subscriptions.customerId, customerId),
        isNotNull(subscriptions.matchedAddress),
        owner ? ne(subscriptions.userId, owner.userId) : undefined,
      ),
    );
}

/** Writes the record, its event and the mail that it owes only if `stands` has a row: the record before is as it was read. */
function write(services: BillingServices, owner: Owner, reading: Reading, eventId?: string) {
  const { db } = services;
  const { userId, matchedAddress } = owner;
  const { record, customerId, askedAt: now } = reading;
  const before = owner.before === null ? noRecord : JSON.parse(owner.before);
  const isNewer = isReplaced(before, reading);
  const kind = isNewer ? mailOwed(before, reading) : null;
  const id = crypto.randomUUID();
  const mail = { id, userId, kind, subjectId: customerId, dedupeKey: `subscription:${id}`, now };
  const stands = and(isOwner(owner), sql`${recordBefore(sql`${userId}`)} IS ${owner.before}`);
  const from = sql`FROM ${users} WHERE ${stands}`;
  const values = { ...record, customerId, matchedAddress, syncedAt: now };
  return {
    stands: db.select({ id: users.id }).from(users).where(stands),
    earlier: endMatch(db, customerId, { unless: owner }),
    event: eventId
      ? insertSelect(db, billingEvents, {
          row: { id: eventId, createdAt: now },
          from,
        }).onConflictDoNothing()
      : null,
    mail: kind && oweMail(services, { ...mail, kind }, from),
    record: isNewer
      ? insertSelect(db, subscriptions, {
          row: { userId, ...values, updatedAt: now },
          // The mail has changed what is compared.
          from: kind ? sql`WHERE ${hasRow(outbox, id)}` : from,
        }).onConflictDoUpdate({ target: subscriptions.userId, set: values })
      : null,
  };
}
