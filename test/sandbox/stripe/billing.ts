/** Begins, bills, renews and ends subscriptions. */
import type Stripe from "stripe";
import {
  type Line,
  linesOf,
  newInvoice,
  newSubscription,
  type Period,
  periodFrom,
  periodOf,
  subscriptionOf,
} from "./objects.ts";
import { percentOffNext, type StripeService, timeOf, walletOf } from "./state.ts";
import { emit } from "./webhooks.ts";

const DAY = 24 * 60 * 60;
export const RETRY_DAYS = 3;

export function beginSubscription(
  service: StripeService,
  customer: string,
  lines: readonly Line[],
  metadata: Record<string, string>,
  isTaxed = false,
): Stripe.Subscription {
  const now = timeOf(service, customer);
  const subscription = newSubscription({
    customer,
    lines,
    created: now,
    anchor: now,
    period: periodFrom(lines, now),
    status: "incomplete",
    metadata,
    isTaxed,
  });
  service.state.subscriptions.set(subscription.id, subscription);
  emit(service, "customer.subscription.created", subscription);
  bill(service, subscription, "subscription_create", periodOf(subscription), true);
  return subscription;
}

export function hasEnded({ status }: Stripe.Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** Lets time pass to the end of the period. A cancelled subscription ends, others are billed again. */
export function endPeriod(service: StripeService, subscription: Stripe.Subscription): void {
  const customer = String(subscription.customer);
  const period = periodOf(subscription);
  const end = Math.min(period.end, subscription.cancel_at ?? period.end);
  walletOf(service.state, customer).ahead += Math.max(0, end - timeOf(service, customer));
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    endAt(service, subscription, end);
  } else if (subscription.status !== "paused") {
    const next = nextPeriod(subscription, end);
    bill(service, subscription, "subscription_cycle", next, chargeCard(service, customer));
  }
}

/** The period that begins with the end of the current one. */
export function nextPeriod(subscription: Stripe.Subscription, start: number): Period {
  return periodFrom(linesOf(subscription), start, subscription.billing_cycle_anchor);
}

function bill(
  service: StripeService,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  period: Period,
  isPaid: boolean,
): void {
  const { state } = service;
  const customer = state.customers.get(String(subscription.customer));
  if (!customer) throw new Error(`no customer ${String(subscription.customer)}`);
  const created = timeOf(service, customer.id);
  const percentOff = percentOffNext(state, customer.id);
  const { coupon } = walletOf(state, customer.id);
  if (coupon) coupon.invoices -= 1;
  const invoice = newInvoice({
    subscription,
    reason,
    created,
    period,
    percentOff,
    taxLacks: state.taxLacks,
  });
  state.invoices.set(invoice.id, invoice);
  emit(service, "invoice.created", invoice);
  const { pause_collection, status } = subscription;
  Object.assign(subscription, {
    items: itemsWithPeriod(subscription, period),
    latest_invoice: invoice.id,
    status: status === "trialing" ? "active" : status,
  });
  if (pause_collection) {
    Object.assign(invoice, { status: uncollected[pause_collection.behavior] });
    emit(service, "customer.subscription.updated", subscription);
    return;
  }
  Object.assign(invoice, {
    status: "open",
    status_transitions: { ...invoice.status_transitions, finalized_at: created },
  } satisfies Partial<Stripe.Invoice>);
  emit(service, "invoice.finalized", invoice);
  recordPayment(service, invoice, isPaid);
}

/** What becomes of the invoices of a subscription whose payments are paused. */
const uncollected: Record<string, Stripe.Invoice.Status> = {
  keep_as_draft: "draft",
  mark_uncollectible: "uncollectible",
  void: "void",
};

function chargeCard({ state }: StripeService, customer: string): boolean {
  const wallet = walletOf(state, customer);
  const isPaid = !wallet.declineNext && wallet.card === "works";
  wallet.declineNext = false;
  return isPaid;
}

/** Records the outcome of a payment. The subscription's status follows that of its latest invoice. */
function recordPayment(service: StripeService, invoice: Stripe.Invoice, isPaid: boolean): void {
  const at = timeOf(service, invoice.customer);
  Object.assign(invoice, { attempted: true, attempt_count: invoice.attempt_count + 1 });
  if (isPaid) {
    Object.assign(invoice, {
      status: "paid",
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at: at },
    } satisfies Partial<Stripe.Invoice>);
  } else {
    invoice.next_payment_attempt = at + RETRY_DAYS * DAY;
  }
  const subscription = service.state.subscriptions.get(subscriptionOf(invoice));
  const isBilled = ["active", "past_due", "unpaid", "incomplete"].includes(
    subscription?.status ?? "",
  );
  if (subscription?.latest_invoice === invoice.id && isBilled) {
    updateSubscription(service, subscription, { status: isPaid ? "active" : "past_due" });
  }
  emit(service, isPaid ? "invoice.paid" : "invoice.payment_failed", invoice);
}

export function updateSubscription(
  service: StripeService,
  subscription: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): void {
  Object.assign(subscription, changes);
  emit(service, "customer.subscription.updated", subscription);
}

export function openInvoices({ state }: StripeService, subscription: string): Stripe.Invoice[] {
  return [...state.invoices.values()].filter(
    (invoice) => invoice.status === "open" && subscriptionOf(invoice) === subscription,
  );
}

/** Pays the unpaid invoices, oldest first, with the customer's card; false if it is declined. */
export function payOpenInvoices(service: StripeService, subscription: string): boolean {
  return openInvoices(service, subscription).every((invoice) => {
    const isPaid = chargeCard(service, String(invoice.customer));
    recordPayment(service, invoice, isPaid);
    return isPaid;
  });
}

function itemsWithPeriod({ items }: Stripe.Subscription, { start, end }: Period) {
  const data = items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }));
  return { ...items, data };
}

/** Schedules the subscription's end with that of the period, or takes that back, as the portal does. */
export function scheduleEnd(
  service: StripeService,
  subscription: Stripe.Subscription,
  ends: boolean,
): void {
  updateSubscription(service, subscription, {
    cancel_at: ends ? periodOf(subscription).end : null,
    canceled_at: ends ? timeOf(service, subscription.customer) : null,
  });
}

export function cancelNow(service: StripeService, subscription: Stripe.Subscription): void {
  const now = timeOf(service, subscription.customer);
  subscription.canceled_at = now;
  endAt(service, subscription, now);
}

function endAt(service: StripeService, subscription: Stripe.Subscription, at: number): void {
  Object.assign(subscription, { status: "canceled", ended_at: at });
  for (const invoice of openInvoices(service, subscription.id)) {
    invoice.next_payment_attempt = null;
  }
  emit(service, "customer.subscription.deleted", subscription);
}

/** Starts a trial that ends in three days, which is when Stripe announces its end. */
export function announceTrialEnd(service: StripeService, subscription: Stripe.Subscription): void {
  const start = timeOf(service, subscription.customer);
  const end = start + 3 * DAY;
  updateSubscription(service, subscription, {
    status: "trialing",
    trial_start: start,
    trial_end: end,
    items: itemsWithPeriod(subscription, { start, end }),
  });
  emit(service, "customer.subscription.trial_will_end", subscription);
}
