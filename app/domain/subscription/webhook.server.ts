import { eq } from "drizzle-orm";
import type { Billing, BillingEvent } from "~/adapters/billing/billing";
import type { Database } from "~/db/client.server";
import { billingEvents } from "~/db/schema";
import { readCustomer } from "./sync.server";

/** The events after which a subscription may stand differently (platform facts, section 8). */
const relevant = new Set([
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.trial_will_end",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
]);

/**
 * Does what an event calls for. Events come twice and in any order: each has the customer read anew,
 * and what was read last is what stands. When it returns, the work is durable.
 * @returns the id of the mail it owes, or null.
 * @throws BillingError where the provider does not answer; the event will come again.
 */
export async function handleEvent(
  db: Database,
  billing: Billing,
  event: BillingEvent,
  clock: () => number,
): Promise<string | null> {
  if (!relevant.has(event.type)) return null;
  const [done] = await db
    .select({ id: billingEvents.id })
    .from(billingEvents)
    .where(eq(billingEvents.id, event.id));
  if (done) return null;
  const checkout = event.checkoutSessionId ? await billing.checkout(event.checkoutSessionId) : null;
  const customerId = checkout?.customerId ?? event.customerId;
  const whose = { begunBy: checkout?.userId ?? null };
  const synced = customerId ? await readCustomer(db, billing, customerId, clock, whose) : null;
  // The customer's user may come yet: sent again, the event is looked at again.
  if (customerId && !synced) return null;
  const remember = db
    .insert(billingEvents)
    .values({ id: event.id, createdAt: clock() })
    .onConflictDoNothing();
  if (!synced) {
    await remember;
    return null;
  }
  const [mails] = await db.batch([...synced.write, remember]);
  return mails[0]?.id ?? null;
}
