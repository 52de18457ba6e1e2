import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Billing, BillingError } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { ratings, songs, subscriptions, users } from "~/db/schema";
import { type Refusal, refuse } from "~/domain/refusal";
import { isLive } from "~/domain/subscription/record";
import { logEvent } from "~/platform/log";

/** How often a checkout may come between before the user is told. */
const maxAttempts = 3;

export const deleteTexts = {
  busy: "A checkout of yours was begun at this moment. Nothing was deleted. Please try again.",
  billing:
    "Stripe is not answering right now, and your subscription has to end first. Nothing was deleted. Please try again in a moment.",
};

/**
 * Deletes a user with all that is theirs: the subscription ends at once, then the database forgets
 * the row and what hangs on it, sessions and Spotify tokens, songs with the ratings they received,
 * listens, mails and log. The ratings they gave stay, with nothing that leads back to them. Cut off
 * at any point, it is whole or can be asked for again.
 */
export async function deleteAccount(
  db: Database,
  billing: Billing,
  userId: string,
): Promise<"deleted" | Refusal> {
  try {
    for (let round = 1; round <= maxAttempts; round += 1) {
      const ended = await endBilling(db, billing, userId);
      // Another press was quicker.
      if (ended === "gone") return "deleted";
      // Not where a checkout has made another customer meanwhile, which would be charged for ever.
      const alone = sql`(SELECT customer_id FROM subscriptions WHERE user_id = ${userId}) IS ${ended}`;
      const [, deleted] = await db.batch([
        rememberWithdrawn(db, userId, alone),
        db
          .delete(users)
          .where(sql`${eq(users.id, userId)} AND ${alone}`)
          .returning({ id: users.id }),
      ]);
      if (deleted.length === 0) continue;
      // The number says nothing but to a backup that is restored: who was deleted since.
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

/**
 * Ends what the user pays, and has Stripe forget the customer that was made for them.
 * @returns the customer's id, null where there was none, or that there is no such user.
 */
async function endBilling(
  db: Database,
  billing: Billing,
  userId: string,
): Promise<string | null | "gone"> {
  const [known] = await db
    .select({ customerId: subscriptions.customerId })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(eq(users.id, userId));
  if (!known) return "gone";
  const { customerId } = known;
  const customer = customerId ? await billing.customer(customerId) : null;
  if (!customer) return customerId;
  if (customer.userId === userId) {
    await billing.deleteCustomer(customer.id);
    return customerId;
  }
  // Made without the product: only what was bought of this product is this user's to end.
  const [bought, { productId }] = await Promise.all([
    billing.subscriptions(customer.id),
    billing.premiumPrice(),
  ]);
  for (const one of bought) {
    if (isLive(one) && one.productIds.includes(productId)) await billing.endSubscription(one.id);
  }
  return customerId;
}

/**
 * The statement that keeps the raters' counts true, whose ratings go with the songs. It reads what was
 * given to these songs alone, whatever else their raters have rated.
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
