/** The demo subscribers' customers, subscriptions and invoices, matching the seeded database. */
import { musicianById } from "../catalogue.ts";
import {
  type DemoSubscriber,
  demoSubscribers,
  FAILED_DAYS_AGO,
  RETRY_IN_DAYS,
  SUBSCRIBED_DAYS_AGO,
} from "./demo.ts";
import { newCustomer } from "./objects/customer.ts";
import { newInvoice } from "./objects/invoice.ts";
import { PREMIUM_PRICE_ID } from "./objects/prices.ts";
import { newSubscription } from "./objects/subscription.ts";
import { newWallet, type StripeState } from "./state.ts";
import { monthAfter } from "./time.ts";

const DAY = 24 * 60 * 60;

/** Adds all demo subscribers, or only one of them. `now` is in epoch milliseconds. */
export function seedInto(state: StripeState, now: number, musician?: string): void {
  for (const demo of demoSubscribers) {
    if (musician === undefined || musician === demo.musician) addSubscriber(state, demo, now);
  }
}

function addSubscriber(state: StripeState, demo: DemoSubscriber, now: number): void {
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
  customer.currency = "usd";
  customer.next_invoice_sequence = 2;
  const wallet = newWallet(pastDue ? "declined" : "works");
  const subscription = newSubscription({
    id: demo.subscriptionId,
    customer: customer.id,
    lines: [{ price: PREMIUM_PRICE_ID, quantity: 1 }],
    created,
    anchor: start,
    period,
    status: demo.status,
    paymentMethod: wallet.paymentMethod,
    metadata: { user_id: userId },
  });
  subscription.latest_invoice = demo.invoiceId;
  const invoice = newInvoice({
    id: demo.invoiceId,
    customer,
    subscription,
    reason: pastDue ? "subscription_cycle" : "subscription_create",
    created: start,
    period,
  });
  Object.assign(invoice, {
    number: `${customer.invoice_prefix}-0001`,
    attempted: true,
    attempt_count: 1,
    effective_at: start,
    ...(pastDue
      ? { status: "open", next_payment_attempt: today + RETRY_IN_DAYS * DAY }
      : {
          status: "paid",
          amount_paid: invoice.amount_due,
          amount_remaining: 0,
          auto_advance: false,
        }),
  } satisfies Partial<typeof invoice>);
  invoice.status_transitions.finalized_at = start;
  if (!pastDue) invoice.status_transitions.paid_at = start;

  state.customers.set(customer.id, customer);
  state.subscriptions.set(subscription.id, subscription);
  state.invoices.set(invoice.id, invoice);
  state.wallets.set(customer.id, wallet);
}
