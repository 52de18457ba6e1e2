import {
  and,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { type Batch, type Results, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { subscriptions, users } from "~/db/schema";
import { comparableAddress } from "~/members/mail-address";
import {
  givesPremium,
  noSubscription,
  premiumStatuses,
  type SubscriptionRecord,
} from "~/members/tiers";
import { type MailKind, type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { dayMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type BilledSubscription, BillingError, type NextPayment } from "./billing";
import { isLive, pickSubscription, recordOf, renews } from "./record";
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
  /** In lower case, if this confirmed address alone makes the customer theirs. */
  matchedAddress: string | null;
}

interface OwnerHint {
  userId?: string;
  begunBy?: string | null;
}

/**
 * Reads a customer from the payment provider, and writes the subscription's record with the mail that it owes.
 * Status and tier change in no other way, and callers are trusted for the customer's id alone.
 * @throws BillingError if the provider does not answer.
 */
export function syncCustomer(
  services: BillingServices,
  customerId: string,
  hint: OwnerHint = {},
): Promise<Synced<null> | Unclaimed> {
  return syncCustomerWith(services, customerId, hint, null);
}

/** `syncCustomer`, with more statements at the end of the batch that writes the record. */
export async function syncCustomerWith<Also extends Batch>(
  services: BillingServices,
  customerId: string,
  hint: OwnerHint,
  also: Also,
): Promise<Synced<Also> | Unclaimed> {
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
    earlier: endMatch(db, customerId, { unless: owner }),
    subscription: writeRecord(services, { owner, customerId, record, askedAt }),
    user: db.select({ id: users.id }).from(users).where(isOwner(owner)),
    also,
  });
  // The account has been deleted in between, or has given up the address.
  if (written.user.length === 0) return { userId: null, record };
  return { userId, record, also: written.also };
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
 * the only user who has confirmed its e-mail address (rule 4). An address from Spotify proves nothing.
 */
async function findOwner(
  { db, billing }: Pick<BillingServices, "db" | "billing">,
  customerId: string,
  { userId, begunBy = null }: OwnerHint,
): Promise<Owner | null> {
  if (userId) return { userId, matchedAddress: null };
  const customer = await billing.customer(customerId);
  // The event that names the user who began the checkout may arrive last.
  const named = begunBy ?? customer?.userId ?? (await billing.findCheckoutUser(customerId));
  const email = customer?.email ? comparableAddress(customer.email) : null;
  // A customer that is deleted has no address any more.
  const address = sql`coalesce(${email}, (SELECT ${subscriptions.matchedAddress} FROM ${subscriptions}
    WHERE ${eq(subscriptions.customerId, customerId)}))`;
  const ownAddress = sql<string>`lower(${users.ownEmail})`;
  const { known, candidates } = await runBatch(db, {
    known: db
      .select({ userId: subscriptions.userId })
      .from(subscriptions)
      .where(and(eq(subscriptions.customerId, customerId), isNull(subscriptions.matchedAddress))),
    candidates: db
      .select({ userId: users.id, address: ownAddress.as("own_address") })
      .from(users)
      .where(
        named
          ? eq(users.id, named)
          : sql`${ownAddress} = ${address} AND ${users.ownEmail} IS NOT NULL`,
      )
      .limit(2),
  });
  if (known[0]) return { userId: known[0].userId, matchedAddress: null };
  // Two users with this address have the same claim to it.
  const only = candidates.length === 1 ? candidates[0] : undefined;
  return only ? { userId: only.userId, matchedAddress: named ? null : only.address } : null;
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

/** Replaces neither a newer record nor, unless this one alone gives premium, another customer's. */
function writeRecord(
  services: BillingServices,
  {
    owner,
    customerId,
    record,
    askedAt,
  }: { owner: Owner; customerId: string; record: SubscriptionRecord; askedAt: number },
) {
  const { userId, matchedAddress } = owner;
  const values = { ...record, customerId, matchedAddress, syncedAt: askedAt };
  const mayReplaceCustomer = givesPremium(record)
    ? notInArray(subscriptions.status, premiumStatuses)
    : isNull(subscriptions.customerId);
  const isNewer = sql`${lte(subscriptions.syncedAt, askedAt)}
    AND (${eq(subscriptions.customerId, customerId)} OR ${mayReplaceCustomer})`;
  const owed = mailsOwed(record, askedAt);
  const mailId = crypto.randomUUID();
  return {
    // This must come first, because the mail depends on the record before.
    mail: oweMail(
      services,
      {
        id: mailId,
        userId: sql`${users.id}`,
        kind: sql`CASE ${sql.join(
          owed.map(({ kind, when }) => sql`WHEN ${when} THEN ${kind} `),
        )}END`,
        subjectId: customerId,
        dedupeKey: `subscription:${mailId}`,
        now: askedAt,
      },
      sql`FROM ${users} LEFT JOIN ${subscriptions} ON ${eq(subscriptions.userId, users.id)}
          WHERE ${isOwner(owner)} AND (${isNull(subscriptions.userId)} OR (${isNewer}))
            AND ${or(...owed.map(({ when }) => when))}`,
    ),
    record: insertSelect(services.db, subscriptions, {
      row: { userId, ...values, updatedAt: askedAt },
      from: sql`FROM ${users} WHERE ${isOwner(owner)}`,
    }).onConflictDoUpdate({ target: subscriptions.userId, set: values, setWhere: isNewer }),
  };
}

/** The conditions on the record before exclude each other, so that a change owes one mail. */
function mailsOwed(
  record: SubscriptionRecord,
  askedAt: number,
): { kind: MailKind; when: SQL | undefined }[] {
  const { status, subscriptionId, cancelAt, endedAt } = record;
  const before = subscriptions;
  const hadPremium = and(inArray(before.status, premiumStatuses), eq(before.tier, "premium"));
  const isOther = sql`${before.subscriptionId} IS NOT ${subscriptionId}`;
  if (!givesPremium(record)) {
    // The date of a cancellation has been mailed already.
    const announced = sql`coalesce(${before.cancelAt} <= ${endedAt}, 0)`;
    return [{ kind: "premium_ended", when: sql`${hadPremium} AND NOT ${announced}` }];
  }
  // A user who cancels, renews and cancels again within a day gets one mail.
  const isCancellationMailed = sql`EXISTS (SELECT 1 FROM outbox WHERE user_id = ${users.id}
    AND kind = 'premium_cancelled' AND created_at > ${askedAt - dayMs} AND state <> 'skipped')`;
  const cancelled = sql`${cancelAt} IS NOT NULL AND ${before.cancelAt} IS NOT ${cancelAt}
    AND NOT ${isCancellationMailed}`;
  if (status === "past_due") {
    return [
      { kind: "past_due", when: and(hadPremium, eq(before.status, "active")) },
      { kind: "premium_cancelled", when: and(eq(before.status, "past_due"), cancelled) },
    ];
  }
  if (cancelAt !== null) {
    return [{ kind: "premium_cancelled", when: or(isOther, cancelled) }];
  }
  // A subscription that a late payment brings back is not welcomed again.
  const isNew = or(isOther, inArray(before.status, ["incomplete", "trialing"]));
  return [{ kind: "premium_welcome", when: isNew }];
}
