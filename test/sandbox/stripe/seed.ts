/** The demo subscribers' customers, subscriptions and invoices, matching the seeded database. */
import { musicianById } from "../catalogue.ts";
import { RETRY_DAYS } from "./billing.ts";
import { newCustomer, newInvoice, newSubscription, PREMIUM_PRICE_ID } from "./objects.ts";
import { type StripeState, walletOf } from "./state.ts";
import { monthAfter } from "./time.ts";

const DAY = 24 * 60 * 60;
/** When both subscriptions began, and when the payment of the one who is past due failed. */
export const SUBSCRIBED_DAYS_AGO = 20;
export const FAILED_DAYS_AGO = 2;

/** The demo users with a subscription. The seeded database has the same ids. */
export const demoSubscribers = [demo("Premium", "active"), demo("Pastdue", "past_due")] as const;

function demo(name: string, status: "active" | "past_due") {
  return {
    musician: `demo-${name.toLowerCase()}`,
    customerId: `cus_Demo${name}001`,
    subscriptionId: `sub_Demo${name}0000000000001`,
    invoiceId: `in_Demo${name}0000000000001`,
    status,
  };
}

/** Adds the demo subscribers. `now` is in epoch milliseconds. */
export function seedInto(state: StripeState, now: number): void {
  for (const subscriber of demoSubscribers) addSubscriber(state, subscriber, now);
}

function addSubscriber(
  state: StripeState,
  demo: (typeof demoSubscribers)[number],
  now: number,
): void {
  const { email = null, displayName = null } = musicianById.get(demo.musician) ?? {};
  const today = Math.floor(now / 1000);
  const created = today - SUBSCRIBED_DAYS_AGO * DAY;
  const pastDue = demo.status === "past_due";
  // The subscriber who is past due has not paid for the period that began when the payment failed.
  const start = pastDue ? today - FAILED_DAYS_AGO * DAY : created;
  const period = { start, end: monthAfter(start, start) };
  const userId = `user-${demo.musician}`;
  const customer = newCustomer({
    id: demo.customerId,
    created,
    email,
    name: displayName,
    metadata: { user_id: userId },
  });
  const subscription = newSubscription({
    id: demo.subscriptionId,
    customer: customer.id,
    lines: [{ price: PREMIUM_PRICE_ID, quantity: 1 }],
    created,
    anchor: start,
    period,
    status: demo.status,
    metadata: { user_id: userId },
  });
  subscription.latest_invoice = demo.invoiceId;
  const invoice = newInvoice({
    id: demo.invoiceId,
    subscription,
    reason: pastDue ? "subscription_cycle" : "subscription_create",
    created: start,
    period,
  });
  Object.assign(invoice, {
    attempted: true,
    attempt_count: 1,
    ...(pastDue
      ? { status: "open", next_payment_attempt: today + RETRY_DAYS * DAY }
      : { status: "paid", amount_paid: invoice.amount_due, amount_remaining: 0 }),
  } satisfies Partial<typeof invoice>);
  invoice.status_transitions.finalized_at = start;
  if (!pastDue) invoice.status_transitions.paid_at = start;

  state.customers.set(customer.id, customer);
  state.subscriptions.set(subscription.id, subscription);
  state.invoices.set(invoice.id, invoice);
  if (pastDue) walletOf(state, customer.id).card = "declined";
}
