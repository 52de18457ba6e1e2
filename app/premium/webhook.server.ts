import { eq } from "drizzle-orm";
import { billingEvents } from "~/db/schema";
import type { BillingEvent } from "./billing";
import { type BillingServices, syncCustomer } from "./sync.server";

/**
 * Handles an event. Events may arrive twice and in any order, because each one has the customer read from the
 * provider. When this returns, the work is durable.
 * @throws BillingError or MailError if a provider does not answer; the event will be sent again.
 */
export async function handleEvent(
  services: BillingServices & {
    mailUnclaimedPayment(customerId: string, eventId: string): Promise<void>;
  },
  event: BillingEvent,
): Promise<void> {
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
  if (!customerId) return void (await remember);
  // An event whose customer is nobody's is not remembered, because the user may appear before it comes again.
  const { userId, record } = await syncCustomer(services, customerId, {
    userId: checkout?.userId ?? null,
    eventId: event.id,
  });
  if (userId !== null || record.subscriptionId === null || !event.isPayment) return;
  await services.mailUnclaimedPayment(customerId, event.id);
}
