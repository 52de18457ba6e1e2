import { eq, sql } from "drizzle-orm";
import { type Billing, BillingError } from "~/adapters/stripe/billing";
import type { Database } from "~/db/client.server";
import { ratings, songs, subscriptions, users } from "~/db/schema";
import { type Refusal, refuse } from "~/domain/refusal";
import { isLive } from "~/domain/subscription/record";
import { logEvent } from "~/platform/log";

export const deleteTexts = {
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
    await endBilling(db, billing, userId);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("account_not_deleted", { error });
    return refuse(error.outage ? 503 : 502, deleteTexts.billing);
  }
  await db.batch([rememberWithdrawn(db, userId), db.delete(users).where(eq(users.id, userId))]);
  logEvent("account_deleted");
  return "deleted";
}

/** Ends what the user pays, and has Stripe forget the customer that was made for them. */
async function endBilling(db: Database, billing: Billing, userId: string): Promise<void> {
  const [known] = await db
    .select({ customerId: subscriptions.customerId })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  const customer = known?.customerId ? await billing.customer(known.customerId) : null;
  if (!customer) return;
  if (customer.userId === userId) return billing.deleteCustomer(customer.id);
  // Made without the product: only what was bought of this product is this user's to end.
  const [bought, { productId }] = await Promise.all([
    billing.subscriptions(customer.id),
    billing.premiumPrice(),
  ]);
  for (const one of bought) {
    if (isLive(one) && one.productIds.includes(productId)) await billing.endSubscription(one.id);
  }
}

/** The statement that keeps the raters' counts true, whose ratings go with the songs. */
function rememberWithdrawn(db: Database, ownerId: string) {
  const received = sql`${songs} JOIN ${ratings} ON ${ratings.songId} = ${songs.id}
    WHERE ${songs.ownerId} = ${ownerId}`;
  return db
    .update(users)
    .set({
      ratedWithdrawn: sql`rated_withdrawn
        + (SELECT count(*) FROM ${received} AND ${ratings.raterId} = ${users.id})`,
    })
    .where(sql`id IN (SELECT ${ratings.raterId} FROM ${received})`);
}
