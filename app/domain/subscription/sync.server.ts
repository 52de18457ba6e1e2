import { eq, inArray, isNull, lte, notInArray, sql } from "drizzle-orm";
import type { Billing } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { outbox, subscriptions, users } from "~/db/schema";
import type { SubscriptionRecord } from "~/domain/tiers/tiers";
import { logEvent } from "~/platform/log";
import { givesPremium, isLive, pickSubscription, premiumStatuses } from "./record";

/** A customer's subscription as it stands at the payment provider, and whose it is. */
export interface Synced {
  userId: string;
  record: SubscriptionRecord;
  /**
   * The statements that write it down, unless newer news are there already: first the mail that the
   * change owes, if any, whose id it answers; then the record.
   */
  write: ReturnType<typeof writeRecord>;
}

/** What is known already of whose a customer is. */
export interface OwnerHint {
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
  whose: OwnerHint = {},
): Promise<Synced | null> {
  // Taken before the reading: news are as old as the question was.
  const askedAt = clock();
  const [found, { productId }, owner] = await Promise.all([
    billing.subscriptions(customerId),
    billing.premiumPrice(),
    ownerOf(db, billing, customerId, whose),
  ]);
  const record = pickSubscription(found, productId);
  // An address proves little: it claims no customer who has not subscribed to this very product.
  const live = found.filter((one) => isLive(one) && one.productIds.includes(productId));
  if (!owner || (owner.byEmail && record.subscriptionId === null)) {
    if (live.length > 0) logEvent("customer_of_nobody", { customerId });
    return null;
  }
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
  whose: OwnerHint = {},
): Promise<Synced | null> {
  const synced = await readCustomer(db, billing, customerId, clock, whose);
  if (synced) await db.batch(synced.write);
  return synced;
}

/**
 * Whose a customer is: the user it is known by; else the one who began the checkout, or for whom it
 * was made; else, for a subscription made without the product, the one user who has confirmed that
 * e-mail address. Spotify's word for an address is no proof that it is the user's.
 */
async function ownerOf(
  db: Database,
  billing: Billing,
  customerId: string,
  { userId, begunBy = null }: OwnerHint,
): Promise<{ userId: string; byEmail: boolean } | null> {
  if (userId) return { userId, byEmail: false };
  const customer = await billing.customer(customerId);
  // The event that names who began the checkout may be the last to come.
  const named = begunBy ?? customer?.userId ?? (await billing.findCheckoutUser(customerId));
  const email = customer?.email?.trim().toLowerCase() ?? null;
  const [known, candidates] = await db.batch([
    db
      .select({ userId: subscriptions.userId })
      .from(subscriptions)
      .where(eq(subscriptions.customerId, customerId)),
    db
      .select({ userId: users.id })
      .from(users)
      .where(
        named
          ? eq(users.id, named)
          : sql`lower(${users.ownEmail}) = ${email} AND ${users.ownEmail} IS NOT NULL`,
      )
      .limit(2),
  ]);
  if (known[0]) return { userId: known[0].userId, byEmail: false };
  // Two users of one address: nobody can say whose it is.
  const only = candidates.length === 1 ? candidates[0] : undefined;
  return only ? { userId: only.userId, byEmail: named === null } : null;
}

/**
 * The statements that write a record down. Older news do not replace newer ones; nor does another
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
  const isNews = sql`${lte(subscriptions.syncedAt, askedAt)}
    AND (${eq(subscriptions.customerId, customerId)} OR ${mayReplace})`;
  const owed = mailOwed(record);
  const mailId = crypto.randomUUID();
  return [
    // Before the record is written, as it looks at what was known so far. The SELECT names its
    // columns in the order of the table.
    db
      .insert(outbox)
      .select(
        sql`SELECT ${mailId}, user_id, ${owed?.kind ?? "past_due"}, ${customerId}, ${`subscription:${mailId}`},
              'pending', NULL, NULL, NULL, NULL, NULL, ${askedAt}, NULL, ${askedAt}, 0, NULL, NULL
            FROM ${subscriptions}
            WHERE user_id = ${userId} AND ${owed ? 1 : 0} = 1
              AND ${inArray(subscriptions.status, owed?.after ?? premiumStatuses)}
              AND ${eq(subscriptions.tier, "premium")} AND ${isNews}`,
      )
      .returning({ id: outbox.id }),
    db
      .insert(subscriptions)
      .values({ userId, ...values, updatedAt: askedAt })
      .onConflictDoUpdate({ target: subscriptions.userId, set: values, setWhere: isNews }),
  ] as const;
}

/** The mail that a record owes where it comes after certain statuses: premium is at risk, or gone. */
function mailOwed(record: SubscriptionRecord) {
  if (record.status === "past_due") return { kind: "past_due", after: ["active"] } as const;
  if (givesPremium(record)) return null;
  return { kind: "premium_ended", after: premiumStatuses } as const;
}
