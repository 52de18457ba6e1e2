import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { type Batch, runBatch } from "~/db/gated";
import { ratings, songs, subscriptions, users } from "~/db/schema";
import { accountFingerprints, keepDeparture } from "~/members/what-outlives.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { BillingError } from "~/premium/billing";
import { isLive } from "~/premium/record";
import type { Billing } from "~/premium/stripe.server";
import { sharePath } from "~/results/share";
import { selectShares } from "~/results/share.server";

/** Each attempt but the last may end because a checkout has made a customer, or a way in was added. */
const maxAttempts = 3;

export const deleteTexts = {
  another:
    "Another account has logged in here since this page was opened, perhaps in another tab. Nothing was deleted.",
  busy: "Your account was in use just then, perhaps in another tab, so it was not deleted. Try again.",
  billing:
    "Stripe is not answering right now, and your subscription has to end first. Nothing was deleted. Try again in a moment.",
};

/**
 * Deletes a user with everything of theirs, and ends the subscription first. Ratings given stay, without a
 * rater. For a while a fingerprint of each way in stays, with the songs that the account has rated, so that
 * coming back resets no limit. A deletion that breaks off can be repeated. `alsoWrite` makes a statement for
 * the deletion's batch. Returns the paths of shared results, to be removed from caches.
 */
export async function deleteAccount(
  { db, billing, secret, now }: DatabaseAndClock & { billing: Billing; secret: string },
  userId: string,
  alsoWrite: (hasLeft: SQL) => Batch = () => null,
): Promise<{ sharePaths: string[] } | Rejection> {
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const [user] = await db
        .select({
          spotifyId: users.spotifyId,
          ownEmail: users.ownEmail,
          purchase: purchaseOf(userId).as("purchase"),
          customerId: subscriptions.customerId,
          subscriptionId: subscriptions.subscriptionId,
          checkoutId: subscriptions.checkoutId,
          checkoutNumber: subscriptions.checkoutNumber,
        })
        .from(users)
        .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
        .where(eq(users.id, userId));
      if (!user) return { sharePaths: [] };
      const { spotifyId, ownEmail, purchase, ...known } = user;
      if (purchase !== null) await endBilling(billing, { userId, ...known });
      // A subscription from a checkout that began since would be charged for ever.
      const isUnchanged = sql`${purchaseOf(userId)} IS ${purchase}
        AND spotify_id IS ${spotifyId} AND own_email IS ${ownEmail}`;
      const fingerprints = await accountFingerprints(secret, { spotifyId, ownEmail });
      const leaver = { userId, fingerprints, now: now() };
      const { gate, effects } = await runBatch(
        db,
        keepDeparture(db, leaver, isUnchanged, (hasLeft) => ({
          shared: selectShares(db, userId),
          withdrawn: rememberWithdrawn(db, userId, hasLeft),
          user: db.delete(users).where(and(eq(users.id, userId), hasLeft)),
          also: alsoWrite(hasLeft),
        })),
      );
      if (gate.length === 0) continue;
      // After a restore, these ids in the log say which accounts were deleted since the backup.
      logEvent("account_deleted", { kind: userId });
      return { sharePaths: effects.others.shared.map(({ token }) => sharePath(token)) };
    }
    return reject(409, deleteTexts.busy);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("account_not_deleted", { error });
    return reject(error.outage ? 503 : 502, deleteTexts.billing);
  }
}

/** As one value. Null if the user has never begun to buy. */
function purchaseOf(userId: string): SQL<string | null> {
  return sql`(SELECT json_array(customer_id, checkout_id) FROM subscriptions
    WHERE user_id = ${userId})`;
}

interface BillingOnRecord {
  userId: string;
  customerId: string | null;
  subscriptionId: string | null;
  checkoutId: string | null;
  checkoutNumber: number | null;
}

async function endBilling(billing: Billing, known: BillingOnRecord): Promise<void> {
  const { userId, customerId, subscriptionId, checkoutId } = known;
  if (checkoutId) await billing.expireCheckout(checkoutId);
  const customer = customerId ? await billing.customer(customerId) : null;
  const isOwn = customer?.userId === userId;
  // Without a subscription on record, the customer has only once gone by an address of the user's.
  if (customer && !isOwn && subscriptionId !== null) await endPremium(billing, customer.id);
  const unrecorded = await findUnrecorded(billing, known, isOwn);
  for (const id of new Set(isOwn ? [customer.id, ...unrecorded] : unrecorded)) {
    await billing.deleteCustomer(id);
  }
}

/**
 * Customers that no record names, because a checkout broke off. Nothing was ever paid for one, because a
 * checkout is on record before anybody is led to it. So the deletion does not wait for a provider that cannot
 * tell.
 */
async function findUnrecorded(
  billing: Billing,
  { userId, customerId, checkoutNumber }: BillingOnRecord,
  hasCustomer: boolean,
): Promise<string[]> {
  // The search overlooks a customer of the last minute. Creating that one again returns it, for a day.
  const latest = { userId, email: null, replaces: customerId, number: (checkoutNumber ?? 0) + 1 };
  const found = await Promise.allSettled([
    billing.customersOf(userId),
    hasCustomer ? [] : billing.createCustomer(latest).then((id) => [id]),
  ]);
  return found.flatMap((one) => {
    if (one.status === "fulfilled") return one.value;
    if (!(one.reason instanceof BillingError)) throw one.reason;
    logEvent("customers_not_found", { error: one.reason });
    return [];
  });
}

async function endPremium(billing: Billing, customerId: string): Promise<void> {
  // A customer created outside the product may have other subscriptions, which are not ours to end.
  const [subscriptionsOfCustomer, { productId }] = await Promise.all([
    billing.subscriptions(customerId),
    billing.premiumPrice(),
  ]);
  for (const one of subscriptionsOfCustomer) {
    if (isLive(one) && one.productIds.includes(productId)) await billing.endSubscription(one.id);
  }
}

/** Keeps the raters' counts true when the owner's songs are deleted with their ratings. */
function rememberWithdrawn(db: Database, ownerId: string, condition: SQL) {
  const ratedByUser = db
    .select({ raterId: ratings.raterId, times: sql<number>`count(*)`.as("times") })
    .from(songs)
    .innerJoin(ratings, eq(ratings.songId, songs.id))
    .where(and(eq(songs.ownerId, ownerId), isNull(ratings.roundId)))
    .groupBy(ratings.raterId)
    .as("given");
  return db
    .update(users)
    .set({ ratedWithdrawn: sql`rated_withdrawn + ${ratedByUser.times}` })
    .from(ratedByUser)
    .where(and(eq(users.id, ratedByUser.raterId), condition));
}
