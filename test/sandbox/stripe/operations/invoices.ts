/** Drafts and finalizes invoices, and collects their payments. */
import type Stripe from "stripe";
import { change, emit } from "../events.ts";
import { newInvoice, subscriptionOf } from "../objects/invoice.ts";
import { periodOf } from "../objects/subscription.ts";
import { type StripeService, timeOf } from "../service.ts";
import { percentOffNext, walletOf } from "../state.ts";

/** The result of a payment. "action": the bank asks the customer to confirm it. */
export type PaymentOutcome = "paid" | "declined" | "action";

const RETRY_SECONDS = 3 * 24 * 60 * 60;

/** Drafts an invoice for a period of the subscription, by default the current one. */
export function draftInvoice(
  service: StripeService,
  subscription: Stripe.Subscription,
  reason: Stripe.Invoice.BillingReason,
  period = periodOf(subscription),
): Stripe.Invoice {
  const customer = service.state.customers.get(String(subscription.customer));
  if (!customer) throw new Error(`no customer ${String(subscription.customer)}`);
  const created = timeOf(service, customer.id);
  const percentOff = percentOffNext(service.state, customer.id);
  const { coupon } = walletOf(service.state, customer.id);
  if (coupon) coupon.invoices -= 1;
  const invoice = newInvoice({ customer, subscription, reason, created, period, percentOff });
  customer.currency = invoice.currency;
  service.state.invoices.set(invoice.id, invoice);
  emit(service, "invoice.created", invoice);
  return invoice;
}

export function finalize(service: StripeService, invoice: Stripe.Invoice): void {
  const customer = service.state.customers.get(String(invoice.customer));
  const at = timeOf(service, invoice.customer);
  const sequence = customer?.next_invoice_sequence ?? 1;
  if (customer) customer.next_invoice_sequence = sequence + 1;
  Object.assign(invoice, {
    number: `${customer?.invoice_prefix}-${String(sequence).padStart(4, "0")}`,
    status: "open",
    effective_at: at,
    status_transitions: { ...invoice.status_transitions, finalized_at: at },
  } satisfies Partial<Stripe.Invoice>);
  emit(service, "invoice.finalized", invoice);
}

/** Whether the customer's next payment succeeds. Uses up a decline of only the next payment. */
export function chargeCard(service: StripeService, customer: string): PaymentOutcome {
  const wallet = walletOf(service.state, customer);
  const declined = wallet.declineNext || wallet.card === "declined";
  wallet.declineNext = false;
  return declined ? "declined" : "paid";
}

/** Records the outcome of a payment, and updates the subscription's status. */
export function recordPayment(
  service: StripeService,
  invoice: Stripe.Invoice,
  outcome: PaymentOutcome,
): void {
  const at = timeOf(service, invoice.customer);
  const attempted = { attempted: true, attempt_count: invoice.attempt_count + 1 };
  if (outcome === "paid") {
    Object.assign(invoice, {
      ...attempted,
      status: "paid",
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      auto_advance: false,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at: at },
    } satisfies Partial<Stripe.Invoice>);
    updateStatus(service, invoice, "active");
    emit(service, "invoice.paid", invoice);
    emit(service, "invoice.payment_succeeded", invoice);
    return;
  }
  const next = outcome === "declined" && invoice.auto_advance ? at + RETRY_SECONDS : null;
  Object.assign(invoice, { ...attempted, next_payment_attempt: next });
  emit(service, "invoice.payment_failed", invoice);
  if (outcome === "action") emit(service, "invoice.payment_action_required", invoice);
  updateStatus(service, invoice, "past_due");
}

/** A payment changes only subscriptions that have not ended, and only if it is for the latest invoice. */
function updateStatus(
  service: StripeService,
  invoice: Stripe.Invoice,
  status: "active" | "past_due",
): void {
  const subscription = service.state.subscriptions.get(subscriptionOf(invoice) ?? "");
  if (subscription?.latest_invoice !== invoice.id) return;
  if (!["active", "past_due", "unpaid", "incomplete"].includes(subscription.status)) return;
  const first = subscription.status === "incomplete";
  const { paymentMethod } = walletOf(service.state, String(subscription.customer));
  updateSubscription(service, subscription, {
    status,
    ...(first ? { default_payment_method: paymentMethod } : {}),
  });
}

/** Changes a subscription and emits an event, unless nothing is different. */
export function updateSubscription(
  service: StripeService,
  subscription: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): void {
  const previous = change(subscription, changes);
  if (Object.keys(previous).length === 0) return;
  emit(service, "customer.subscription.updated", subscription, previous);
}

/** A subscription's unpaid invoices, oldest first. */
export function openInvoices(service: StripeService, subscription: string): Stripe.Invoice[] {
  return [...service.state.invoices.values()].filter(
    (invoice) => invoice.status === "open" && subscriptionOf(invoice) === subscription,
  );
}

/** Pays the unpaid invoices, oldest first, with the customer's card; false if it is declined. */
export function payOpenInvoices(service: StripeService, subscription: string): boolean {
  for (const invoice of openInvoices(service, subscription)) {
    const outcome = chargeCard(service, String(invoice.customer));
    recordPayment(service, invoice, outcome);
    if (outcome !== "paid") return false;
  }
  return true;
}
