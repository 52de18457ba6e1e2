import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Billing, BillingError } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { ratings, songs, subscriptions, users } from "~/db/schema";
import { accountFingerprint, keepMarks } from "~/domain/marks/marks.server";
import { type Refusal, refuse } from "~/domain/refusal";
import { isLive } from "~/domain/subscription/record";
import { logEvent } from "~/platform/log";

/** What deleting an account works with. */
export interface DeletionServices {
  db: Database;
  billing: Billing;
  /** The fingerprint of the Spotify account is made with it. */
  secret: string;
  /** Epoch milliseconds. */
  now(): number;
}

/** How often to start again if a checkout makes a customer meanwhile. */
const maxAttempts = 3;

export const deleteTexts = {
  busy: "Your account was in use just then, perhaps in another tab, so it was not deleted. Please try again.",
  billing:
    "Stripe is not answering right now, and your subscription has to end first. Nothing was deleted. Please try again in a moment.",
};

/**
 * Deletes a user with everything of theirs. The subscription ends at once; then the user's row is deleted
 * and with it sessions and Spotify tokens, songs with the ratings they received, listens, mails and log.
 * The ratings that the user gave stay, without anything that leads back to the user. For a while a
 * fingerprint of the Spotify account stays, with the songs that it has rated, so that no limit can be
 * reset by coming back. If it breaks off at any point, the account is either whole or can be deleted by
 * asking again.
 */
export async function deleteAccount(
  { db, billing, secret, now }: DeletionServices,
  userId: string,
): Promise<"deleted" | Refusal> {
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const [user] = await db
        .select({ spotifyId: users.spotifyId, customerId: subscriptions.customerId })
        .from(users)
        .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
        .where(eq(users.id, userId));
      // Another request was quicker.
      if (!user) return "deleted";
      const { customerId } = user;
      await endBilling(billing, { userId, customerId });
      // A customer that a checkout has made meanwhile would be charged for ever.
      const isUnchanged = sql`(SELECT customer_id FROM subscriptions WHERE user_id = ${userId})
        IS ${customerId}`;
      const fingerprint = await accountFingerprint(secret, user.spotifyId);
      const [, , , , deleted] = await db.batch([
        rememberWithdrawn(db, userId, isUnchanged),
        ...keepMarks(db, { userId, fingerprint, now: now() }, isUnchanged),
        db
          .delete(users)
          .where(and(eq(users.id, userId), isUnchanged))
          .returning({ id: users.id }),
      ]);
      if (deleted.length === 0) continue;
      // After a restore, this random id tells which accounts were deleted since the backup.
      logEvent("account_deleted", { kind: userId });
      return "deleted";
    }
    return refuse(409, deleteTexts.busy);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("account_not_deleted", { error });
    return refuse(error.outage ? 503 : 502, deleteTexts.billing);
  }
}

/** Ends the user's subscription, and deletes at Stripe the customer that was created for the user. */
async function endBilling(
  billing: Billing,
  { userId, customerId }: { userId: string; customerId: string | null },
): Promise<void> {
  const customer = customerId ? await billing.customer(customerId) : null;
  if (!customer) return;
  if (customer.userId === userId) {
    await billing.deleteCustomer(customer.id);
    return;
  }
  // A customer created outside the product may have other subscriptions, which are not ours to end.
  const [bought, { productId }] = await Promise.all([
    billing.subscriptions(customer.id),
    billing.premiumPrice(),
  ]);
  for (const one of bought) {
    if (isLive(one) && one.productIds.includes(productId)) await billing.endSubscription(one.id);
  }
}

/**
 * The statement that keeps the raters' counts true when their ratings are deleted with the songs. It
 * reads only the ratings of these songs, however many others their raters have given.
 */
function rememberWithdrawn(db: Database, ownerId: string, only: SQL) {
  const given = db
    .select({ raterId: ratings.raterId, times: sql<number>`count(*)`.as("times") })
    .from(songs)
    .innerJoin(ratings, eq(ratings.songId, songs.id))
    .where(eq(songs.ownerId, ownerId))
    .groupBy(ratings.raterId)
    .as("given");
  return db
    .update(users)
    .set({ ratedWithdrawn: sql`rated_withdrawn + ${given.times}` })
    .from(given)
    .where(and(eq(users.id, given.raterId), only));
}
