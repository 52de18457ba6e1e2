/** The life of a subscription: begun, renewed, cancelled, paused, ended. */
import type Stripe from "stripe";
import { emit } from "../events.ts";
import type { Line } from "../objects/prices.ts";
import { newSubscription, type Period, periodOf } from "../objects/subscription.ts";
import { type StripeService, timeOf } from "../service.ts";
import { walletOf } from "../state.ts";
import { monthAfter } from "../time.ts";
import {
  collect,
  draftInvoice,
  finalize,
  type Outcome,
  openInvoices,
  outcomeOf,
  update,
} from "./invoices.ts";

const DAY = 24 * 60 * 60;

/** Begins a subscription with its first invoice paid. */
export function begin(
  service: StripeService,
  customer: string,
  lines: readonly Line[],
  metadata: Record<string, string>,
): Stripe.Subscription {
  const now = timeOf(service, customer);
  const subscription = newSubscription({
    customer,
    lines,
    created: now,
    anchor: now,
    period: { start: now, end: monthAfter(now, now) },
    status: "incomplete",
    paymentMethod: null,
    metadata,
  });
  service.state.subscriptions.set(subscription.id, subscription);
  emit(service, "customer.subscription.created", subscription);
  bill(service, subscription, "subscription_create", "paid");
  return subscription;
}

export function isOver({ status }: Stripe.Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/**
 * Lets time pass to the end of the period, or to an earlier cancellation: the subscription ends where
 * that is due, else it is billed for another month. `outcome` is by default what the card says.
 */
export function endPeriod(
  service: StripeService,
  subscription: Stripe.Subscription,
  outcome?: Outcome,
): void {
  const customer = String(subscription.customer);
  const period = periodOf(subscription);
  const end = Math.min(period.end, subscription.cancel_at ?? period.end);
  walletOf(service.state, customer).ahead += Math.max(0, end - timeOf(service, customer));
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    finish(service, subscription, end, {});
    return;
  }
  if (subscription.status === "paused") return;
  const next = { start: end, end: monthAfter(end, subscription.billing_cycle_anchor) };
  bill(service, subscription, "subscription_cycle", outcome ?? outcomeOf(service, customer), next);
}

function bill(
  service: StripeService,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  outcome: Outcome,
  next?: Period,
): void {
  const before = periodOf(subscription);
  const invoice = draftInvoice(service, subscription, reason, next ?? before);
  if (next) {
    Object.assign(invoice, { period_start: before.start, period_end: before.end });
    update(service, subscription, {
      items: itemsIn(subscription, next),
      latest_invoice: invoice.id,
      ...(subscription.status === "trialing" ? { status: "active" } : {}),
    });
  } else {
    // The first invoice is part of the beginning, which was told already.
    subscription.latest_invoice = invoice.id;
  }
  finalize(service, invoice);
  collect(service, invoice, outcome);
}

function itemsIn({ items }: Stripe.Subscription, { start, end }: Period) {
  const data = items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }));
  return { ...items, data };
}

/**
 * Ends it at the end of the period, or at `at`; null takes that back. By the API's flag
 * `cancel_at_period_end` says so; in the portal it stays false.
 */
export function scheduleEnd(
  service: StripeService,
  subscription: Stripe.Subscription,
  at: number | "period_end" | null,
  flagged = false,
): void {
  const asked = at !== null;
  update(service, subscription, {
    cancel_at: at === "period_end" ? periodOf(subscription).end : at,
    cancel_at_period_end: flagged && asked,
    canceled_at: asked ? timeOf(service, subscription.customer) : null,
    cancellation_details: reasoned(subscription, asked ? "cancellation_requested" : null),
  });
}

export function cancelNow(service: StripeService, subscription: Stripe.Subscription): void {
  const now = timeOf(service, subscription.customer);
  finish(service, subscription, now, {
    canceled_at: now,
    cancellation_details: reasoned(subscription, "cancellation_requested"),
  });
}

function finish(
  service: StripeService,
  subscription: Stripe.Subscription,
  at: number,
  more: Partial<Stripe.Subscription>,
): void {
  Object.assign(subscription, { status: "canceled", ended_at: at, ...more });
  for (const invoice of openInvoices(service, subscription.id)) {
    Object.assign(invoice, { auto_advance: false, next_payment_attempt: null });
  }
  emit(service, "customer.subscription.deleted", subscription);
}

function reasoned(
  { cancellation_details }: Stripe.Subscription,
  reason: "cancellation_requested" | null,
): Stripe.Subscription.CancellationDetails {
  return {
    comment: cancellation_details?.comment ?? null,
    feedback: cancellation_details?.feedback ?? null,
    feedback_option: null,
    reason,
  };
}

/** A status with the event of that name beside the update, whose order Stripe does not promise. */
export function pause(service: StripeService, subscription: Stripe.Subscription): void {
  update(service, subscription, { status: "paused" });
  emit(service, "customer.subscription.paused", subscription);
}

export function resume(service: StripeService, subscription: Stripe.Subscription): void {
  update(service, subscription, { status: "active" });
  emit(service, "customer.subscription.resumed", subscription);
}

/** Puts it into a trial that ends in three days, which is when Stripe announces the end. */
export function announceTrialEnd(service: StripeService, subscription: Stripe.Subscription): void {
  const start = timeOf(service, subscription.customer);
  const end = start + 3 * DAY;
  update(service, subscription, {
    status: "trialing",
    trial_start: start,
    trial_end: end,
    items: itemsIn(subscription, { start, end }),
  });
  emit(service, "customer.subscription.trial_will_end", subscription);
}
