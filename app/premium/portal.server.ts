import { eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { subscriptions, users } from "~/db/schema";
import { contactAddress } from "~/members/contact-address";
import type { Viewer } from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { BillingError } from "./billing";
import { noEmailText } from "./no-email-text";
import type { Billing } from "./stripe.server";
import { type BillingServices, recordBefore, syncCustomer } from "./sync.server";
import { billingTexts } from "./texts";

/** Returns the provider's page where the viewer manages their own subscription. */
export async function openPortal(
  { db, billing }: { db: Database; billing: Billing },
  viewer: Viewer,
  returnUrl: string,
): Promise<{ url: string } | Rejection> {
  const [row] = await db
    .select({
      email: contactAddress.as("address"),
      customerId: subscriptions.customerId,
      subscriptionId: subscriptions.subscriptionId,
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(eq(users.id, viewer.userId));
  if (!row?.customerId || !row.subscriptionId) {
    return reject(404, row?.email ? billingTexts.noSubscription : noEmailText);
  }
  try {
    // A customer that was matched by e-mail address alone may be somebody else's.
    const customer = await billing.customer(row.customerId);
    if (customer?.userId !== viewer.userId) return reject(404, billingTexts.noSubscription);
    return { url: await billing.createPortal(row.customerId, returnUrl) };
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("portal_failed", { error });
    return reject(error.outage ? 503 : 502, billingTexts.portalFailed);
  }
}

/** Where the provider does not answer, its webhook or the daily sync catches up. */
export async function syncAfterPortal(
  services: BillingServices,
  { userId }: Pick<Viewer, "userId">,
): Promise<void> {
  const [known] = await services.db
    .select({
      customerId: subscriptions.customerId,
      matchedAddress: subscriptions.matchedAddress,
      before: recordBefore(sql`subscriptions.user_id`).as("before"),
    })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  if (!known?.customerId) return;
  try {
    const { customerId, matchedAddress, before } = known;
    const isOwn = matchedAddress === null;
    await syncCustomer(services, customerId, isOwn ? { userId, before } : { userId: null });
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    logEvent("portal_not_synced", { error });
  }
}
