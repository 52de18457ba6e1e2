/** Begins, renews, cancels, pauses and ends subscriptions. */
import type Stripe from "stripe";
import { emit } from "../events.ts";
import type { Line } from "../objects/prices.ts";
import {
  linesOf,
  newSubscription,
  type Period,
  periodFrom,
  periodOf,
} from "../objects/subscription.ts";
import { type StripeService, timeOf } from "../service.ts";
import { walletOf } from "../state.ts";
import {
  chargeCard,
  draftInvoice,
  finalize,
  openInvoices,
  type PaymentOutcome,
  recordPayment,
  updateSubscription,
} from "./invoices.ts";

const DAY = 24 * 60 * 60;

/** Begins a subscription and pays its first invoice. */
export function beginSubscription(
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
    period: periodFrom(lines, now),
    status: "incomplete",
    paymentMethod: null,
    metadata,
  });
  service.state.subscriptions.set(subscription.id, subscription);
  emit(service, "customer.subscription.created", subscription);
  bill(service, subscription, "subscription_create", "paid");
  return subscription;
}

export function hasEnded({ status }: Stripe.Subscription): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/**
 * Lets time pass to the end of the period, or to an earlier cancellation. The subscription ends if it
 * was cancelled, otherwise it is billed for another month. `outcome` defaults to that of the card.
 */
export function endPeriod(
  service: StripeService,
  subscription: Stripe.Subscription,
  outcome?: PaymentOutcome,
): void {
  const customer = String(subscription.customer);
  const period = periodOf(subscription);
  const end = Math.min(period.end, subscription.cancel_at ?? period.end);
  walletOf(service.state, customer).ahead += Math.max(0, end - timeOf(service, customer));
  if (subscription.cancel_at !== null && subscription.cancel_at <= end) {
    endAt(service, subscription, end, {});
    return;
  }
  if (subscription.status === "paused") return;
  const next = nextPeriod(subscription, end);
  bill(service, subscription, "subscription_cycle", outcome ?? chargeCard(service, customer), next);
}

/** The period that begins with the end of the current one. */
export function nextPeriod(subscription: Stripe.Subscription, start: number): Period {
  return periodFrom(linesOf(subscription), start, subscription.billing_cycle_anchor);
}

function bill(
  service: StripeService,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  outcome: PaymentOutcome,
  next?: Period,
): void {
  const before = periodOf(subscription);
  const invoice = draftInvoice(service, subscription, reason, next ?? before);
  if (next) {
    Object.assign(invoice, { period_start: before.start, period_end: before.end });
    updateSubscription(service, subscription, {
      items: itemsWithPeriod(subscription, next),
      latest_invoice: invoice.id,
      ...(subscription.status === "trialing" ? { status: "active" } : {}),
    });
  } else {
    // The event of the subscription's creation covers its first invoice.
    subscription.latest_invoice = invoice.id;
  }
  const { pause_collection } = subscription;
  if (pause_collection) {
    Object.assign(invoice, { status: uncollected[pause_collection.behavior], auto_advance: false });
    return;
  }
  finalize(service, invoice);
  recordPayment(service, invoice, outcome);
}

/** What becomes of the invoices of a subscription whose payments are paused. */
const uncollected: Record<string, Stripe.Invoice.Status> = {
  keep_as_draft: "draft",
  mark_uncollectible: "uncollectible",
  void: "void",
};

/** Pauses the collection of payments, which leaves the status as it is; null resumes it. */
export function pauseCollection(
  service: StripeService,
  subscription: Stripe.Subscription,
  behavior: "keep_as_draft" | "mark_uncollectible" | "void" | null,
): void {
  const pause_collection = behavior && { behavior, resumes_at: null };
  updateSubscription(service, subscription, { pause_collection });
}

function itemsWithPeriod({ items }: Stripe.Subscription, { start, end }: Period) {
  const data = items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }));
  return { ...items, data };
}

/**
 * Schedules the subscription's end (epoch seconds), or takes that back (null).
 * @param flagged sets `cancel_at_period_end`, as the API's flag does; the portal leaves it false.
 */
export function scheduleEnd(
  service: StripeService,
  subscription: Stripe.Subscription,
  at: number | "period_end" | null,
  flagged = false,
): void {
  const ends = at !== null;
  updateSubscription(service, subscription, {
    cancel_at: at === "period_end" ? periodOf(subscription).end : at,
    cancel_at_period_end: flagged && ends,
    canceled_at: ends ? timeOf(service, subscription.customer) : null,
    cancellation_details: detailsWith(subscription, ends ? "cancellation_requested" : null),
  });
}

export function cancelNow(service: StripeService, subscription: Stripe.Subscription): void {
  const now = timeOf(service, subscription.customer);
  endAt(service, subscription, now, {
    canceled_at: now,
    cancellation_details: detailsWith(subscription, "cancellation_requested"),
  });
}

function endAt(
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

function detailsWith(
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

/** Emits an update and the event "paused"; Stripe does not guarantee their order. */
export function pause(service: StripeService, subscription: Stripe.Subscription): void {
  updateSubscription(service, subscription, { status: "paused" });
  emit(service, "customer.subscription.paused", subscription);
}

export function resume(service: StripeService, subscription: Stripe.Subscription): void {
  updateSubscription(service, subscription, { status: "active" });
  emit(service, "customer.subscription.resumed", subscription);
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
