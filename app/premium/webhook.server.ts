import { eq } from "drizzle-orm";
import { billingEvents } from "~/db/schema";
import type { BillingEvent } from "./billing";
import { type BillingServices, syncCustomerWith } from "./sync.server";

/** The services of handling an event. */
export interface EventServices extends BillingServices {
  /** Tells the operator of a payment for premium that is nobody's, once for each event. */
  mailUnclaimedPayment(customerId: string, eventId: string): Promise<void>;
}

/**
 * Handles an event. Events may arrive twice and in any order: each has the customer read anew, and the latest
 * reading counts. A payment for premium that is nobody's is mailed to the operator. When this returns, the
 * work is durable.
 * @throws BillingError or MailError if a provider does not answer; the event will be sent again.
 */
export async function handleEvent(services: EventServices, event: BillingEvent): Promise<void> {
  const { db, billing, now } = services;
  if (!event.concernsSubscription) return;
  const [handled] = await db
    .select({ id: billingEvents.id })
    .from(billingEvents)
    .where(eq(billingEvents.id, event.id));
  if (handled) return;
  const checkout = event.checkoutSessionId ? await billing.checkout(event.checkoutSessionId) : null;
  const customerId = checkout?.customerId ?? event.customerId;
  const remember = db
    .insert(billingEvents)
    .values({ id: event.id, createdAt: now() })
    .onConflictDoNothing();
  const hint = { begunBy: checkout?.userId ?? null };
  if (!customerId) return void (await remember);
  // Where the customer is nobody's, the event is not remembered: its user may appear before it comes again.
  const { userId, record } = await syncCustomerWith(services, customerId, hint, remember);
  if (userId !== null || record.subscriptionId === null || !event.isPayment) return;
  await services.mailUnclaimedPayment(customerId, event.id);
}
