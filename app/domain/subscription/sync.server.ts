import { eq, isNull, lte, notInArray, sql } from "drizzle-orm";
import type { Billing } from "~/adapters/stripe/billing";
import type { Database } from "~/db/client.server";
import { subscriptions, users } from "~/db/schema";
import type { SubscriptionRecord } from "~/domain/tiers/tiers";
import { logEvent } from "~/platform/log";
import { givesPremium, isLive, premiumStatuses, recordOf } from "./record";

/** A customer's subscription as it stands at the payment provider, and whose it is. */
export interface Synced {
  userId: string;
  record: SubscriptionRecord;
  /** The statement that writes it down, unless newer news are there already. */
  write: ReturnType<typeof writeRecord>;
}

/** What is known already of whose a customer is. */
export interface Whose {
  /** The user, for certain. */
  userId?: string;
  /** The user who began the checkout that led here, where that is known. */
  begunBy?: string | null;
}

/**
 * Reads a customer anew from the payment provider: the one way by which status and tier change,
 * whoever calls it. What called for it is believed for the customer's id alone.
 * @returns null where the customer is nobody's here.
 * @throws BillingError where the provider does not answer.
 */
export async function readCustomer(
  db: Database,
  billing: Billing,
  customerId: string,
  clock: () => number,
  whose: Whose = {},
): Promise<Synced | null> {
  // Taken before the reading: news are as old as the question was.
  const askedAt = clock();
  const [found, { productId }, owner] = await Promise.all([
    billing.subscriptions(customerId),
    billing.premiumPrice(),
    ownerOf(db, billing, customerId, whose),
  ]);
  const record = recordOf(found, productId);
  // An address proves little: it claims no customer who has not subscribed to this very product.
  if (!owner || (owner.byEmail && record.subscriptionId === null)) {
    logEvent("customer_of_nobody", { customerId });
    return null;
  }
  const live = found.filter((one) => isLive(one) && one.productIds.includes(productId));
  if (live.length > 1) logEvent("second_live_subscription", { customerId });
  const { userId } = owner;
  return { userId, record, write: writeRecord(db, { userId, customerId, record }, askedAt) };
}

/** Reads a customer anew and writes down how the subscription stands. */
export async function syncCustomer(
  db: Database,
  billing: Billing,
  customerId: string,
  clock: () => number,
  whose: Whose = {},
): Promise<Synced | null> {
  const synced = await readCustomer(db, billing, customerId, clock, whose);
  await synced?.write;
  return synced;
}

/**
 * Whose a customer is: the user it is known by; else the one who began the checkout, or for whom it
 * was made; else, for a subscription made without the product, the one user of that e-mail address.
 */
async function ownerOf(
  db: Database,
  billing: Billing,
  customerId: string,
  { userId, begunBy = null }: Whose,
): Promise<{ userId: string; byEmail: boolean } | null> {
  if (userId) return { userId, byEmail: false };
  const customer = await billing.customer(customerId);
  // The event that names who began the checkout may be the last to come.
  const named = begunBy ?? customer?.userId ?? (await billing.beginnerOf(customerId));
  const email = customer?.email?.trim().toLowerCase() ?? null;
  const [known, candidates] = await db.batch([
    db
      .select({ userId: subscriptions.userId })
      .from(subscriptions)
      .where(eq(subscriptions.customerId, customerId)),
    db
      .select({ userId: users.id })
      .from(users)
      .where(named ? eq(users.id, named) : sql`lower(${users.email}) = ${email}`)
      .limit(2),
  ]);
  if (known[0]) return { userId: known[0].userId, byEmail: false };
  // Two users of one address: nobody can say whose it is.
  const only = candidates.length === 1 ? candidates[0] : undefined;
  return only ? { userId: only.userId, byEmail: named === null } : null;
}

/**
 * The statement that writes a record down. Older news do not replace newer ones; nor does another
 * customer's, but where that one gives premium and the known one does not.
 */
function writeRecord(
  db: Database,
  { userId, customerId, record }: Pick<Synced, "userId" | "record"> & { customerId: string },
  askedAt: number,
) {
  const values = { ...record, customerId, syncedAt: askedAt };
  const mayReplace = givesPremium(record)
    ? notInArray(subscriptions.status, premiumStatuses)
    : isNull(subscriptions.customerId);
  return db
    .insert(subscriptions)
    .values({ userId, ...values, updatedAt: askedAt })
    .onConflictDoUpdate({
      target: subscriptions.userId,
      set: values,
      setWhere: sql`${lte(subscriptions.syncedAt, askedAt)}
        AND (${eq(subscriptions.customerId, customerId)} OR ${mayReplace})`,
    });
}
