import { eq } from "drizzle-orm";
import type { BillingEvent } from "~/adapters/billing/billing";
import { billingEvents } from "~/db/schema";
import { type BillingServices, syncCustomerWith } from "./sync.server";

/**
 * Does what an event calls for. Events arrive twice and in any order: each makes the customer be read
 * anew, and the latest reading counts. When this returns, the work is durable.
 * @throws BillingError if the provider does not answer; the event will be sent again.
 */
export async function handleEvent(services: BillingServices, event: BillingEvent): Promise<void> {
  const { db, billing, now } = services;
  if (!event.concernsSubscription) return;
  const [done] = await db
    .select({ id: billingEvents.id })
    .from(billingEvents)
    .where(eq(billingEvents.id, event.id));
  if (done) return;
  const checkout = event.checkoutSessionId ? await billing.checkout(event.checkoutSessionId) : null;
  const customerId = checkout?.customerId ?? event.customerId;
  const remember = db
    .insert(billingEvents)
    .values({ id: event.id, createdAt: now() })
    .onConflictDoNothing();
  const hint = { begunBy: checkout?.userId ?? null };
  // An event about nobody's customer is not remembered: its user may still appear before it is sent again.
  if (customerId) await syncCustomerWith(services, customerId, hint, remember);
  else await remember;
}
