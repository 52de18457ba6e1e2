/** Stripe's objects with the fields that somebody reads, which the package's types check. */
import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import { monthAfter } from "./time.ts";

/** An id like Stripe's. `length` does not count the prefix. */
export function newId(prefix: string, length = 24): string {
  return prefix + randomBytes(length).toString("hex").slice(0, length);
}

function object<T>(fields: Partial<T>): T {
  return fields as T;
}

const PREMIUM_PRODUCT_ID = "prod_FivefoldPremium";
export const PREMIUM_PRICE_ID = "price_FivefoldPremiumMonthly";

/** The price of premium, and others that the app must tell from it. */
export const prices: readonly Stripe.Price[] = [
  price("price_ForeignMonthly", "prod_Foreign", 999, "something_else_monthly"),
  price("price_FivefoldPremiumYearly", PREMIUM_PRODUCT_ID, 2990, "fivefold_premium_yearly", "year"),
  price(PREMIUM_PRICE_ID, PREMIUM_PRODUCT_ID, 299, "fivefold_premium_monthly"),
];

function price(
  id: string,
  product: string,
  unit_amount: number,
  lookup_key: string,
  interval: "month" | "year" = "month",
): Stripe.Price {
  return object<Stripe.Price>({
    id,
    object: "price",
    active: true,
    currency: "usd",
    lookup_key,
    product,
    recurring: {
      interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    type: "recurring",
    unit_amount,
  });
}

export interface Line {
  price: string;
  quantity: number;
}

export function priceOf(id: string): Stripe.Price {
  const found = prices.find((one) => one.id === id);
  if (!found) throw new Error(`no price ${id}`);
  return found;
}

export function nameOf({ product }: Stripe.Price): string {
  return product === PREMIUM_PRODUCT_ID ? "Fivefold Premium" : "Something else";
}

export function amountOf(lines: readonly Line[]): number {
  return lines.reduce(
    (sum, line) => sum + (priceOf(line.price).unit_amount ?? 0) * line.quantity,
    0,
  );
}

export function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
}

export function newCustomer(fields: {
  id?: string;
  created: number;
  email?: string | null;
  name?: string | null;
  metadata: Record<string, string>;
}): Stripe.Customer {
  return object<Stripe.Customer>({
    id: fields.id ?? newId("cus_", 14),
    object: "customer",
    created: fields.created,
    email: fields.email ?? null,
    livemode: false,
    metadata: fields.metadata,
    name: fields.name ?? null,
  });
}

export function newSession(fields: {
  origin: string;
  created: number;
  customer: string | null;
  customer_email: string | null;
  client_reference_id: string | null;
  success_url: string;
  cancel_url: string | null;
  metadata: Record<string, string>;
}): Stripe.Checkout.Session {
  const { origin, ...given } = fields;
  const id = newId("cs_test_", 58);
  return object<Stripe.Checkout.Session>({
    id,
    object: "checkout.session",
    ...given,
    customer_details: null,
    livemode: false,
    mode: "subscription",
    payment_status: "unpaid",
    status: "open",
    subscription: null,
    url: `${origin}/stripe/checkout/${id}`,
  });
}

/** What `expand[]=line_items` adds to a session. */
export function lineItems(lines: readonly Line[]): Stripe.ApiList<Stripe.LineItem> {
  return object<Stripe.ApiList<Stripe.LineItem>>({
    object: "list",
    data: lines.map((line) =>
      object<Stripe.LineItem>({
        object: "item",
        price: priceOf(line.price),
        quantity: line.quantity,
      }),
    ),
    has_more: false,
  });
}

export function newPortalSession(fields: {
  origin: string;
  created: number;
  customer: string;
  return_url: string | null;
}): Stripe.BillingPortal.Session {
  const { origin, ...given } = fields;
  const id = newId("bps_");
  const url = `${origin}/stripe/portal/${id}`;
  return object<Stripe.BillingPortal.Session>({
    id,
    object: "billing_portal.session",
    ...given,
    url,
  });
}

/** Epoch seconds. */
export interface Period {
  start: number;
  end: number;
}

export function newSubscription(fields: {
  id?: string;
  customer: string;
  lines: readonly Line[];
  created: number;
  anchor: number;
  period: Period;
  status: Stripe.Subscription.Status;
  metadata: Record<string, string>;
  isTaxed?: boolean;
}): Stripe.Subscription {
  const { customer, created, period, status, metadata } = fields;
  return object<Stripe.Subscription>({
    id: fields.id ?? newId("sub_"),
    object: "subscription",
    automatic_tax: { enabled: fields.isTaxed ?? false, disabled_reason: null, liability: null },
    billing_cycle_anchor: fields.anchor,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    collection_method: "charge_automatically",
    created,
    customer,
    ended_at: null,
    items: object<Stripe.ApiList<Stripe.SubscriptionItem>>({
      object: "list",
      data: fields.lines.map((line) =>
        object<Stripe.SubscriptionItem>({
          id: newId("si_", 14),
          object: "subscription_item",
          current_period_end: period.end,
          current_period_start: period.start,
          price: priceOf(line.price),
          quantity: line.quantity,
        }),
      ),
      has_more: false,
    }),
    latest_invoice: null,
    livemode: false,
    metadata,
    pause_collection: null,
    start_date: created,
    status,
  });
}

/** The payment of an invoice that was paid with the card. */
export function paymentOf({ id, amount_paid }: Stripe.Invoice): Stripe.InvoicePayment {
  return object<Stripe.InvoicePayment>({
    id: id.replace("in_", "inpay_"),
    object: "invoice_payment",
    amount_paid,
    invoice: id,
    payment: { type: "payment_intent", payment_intent: id.replace("in_", "pi_") },
    status: "paid",
  });
}

export function newRefund(payment_intent: string, created: number): Stripe.Refund {
  return object<Stripe.Refund>({
    id: newId("re_"),
    object: "refund",
    created,
    payment_intent,
    status: "succeeded",
  });
}

const vatPercent = 19;

/** The VAT that a price includes, in its units. */
export function vatIn(amount: number): number {
  return Math.round((amount * vatPercent) / (100 + vatPercent));
}

export function linesOf(subscription: Stripe.Subscription): Line[] {
  return subscription.items.data.map(({ price, quantity = 1 }) => ({ price: price.id, quantity }));
}

/** The period after `start`, by the first line's price. */
export function periodFrom(lines: readonly Line[], start: number, anchor = start): Period {
  const isYearly = priceOf(lines[0]?.price ?? "").recurring?.interval === "year";
  return { start, end: monthAfter(start, anchor, isYearly ? 12 : 1) };
}

/** The current period, which is the same for all items. */
export function periodOf(subscription: Stripe.Subscription): Period {
  const [first] = subscription.items.data;
  if (!first) throw new Error(`${subscription.id} has no items`);
  return { start: first.current_period_start, end: first.current_period_end };
}

/** A draft invoice for one period of a subscription. `percentOff` is what a coupon takes off. */
export function newInvoice(fields: {
  id?: string;
  subscription: Stripe.Subscription;
  reason: Stripe.Invoice.BillingReason;
  created: number;
  period: Period;
  percentOff?: number;
  taxLacks?: ReadonlySet<string>;
}): Stripe.Invoice {
  const { subscription, created, period, percentOff = 0, taxLacks } = fields;
  const isTaxed = subscription.automatic_tax?.enabled ?? false;
  const isRegistered = !taxLacks?.has("registration");
  const full = amountOf(linesOf(subscription));
  const amount = Math.round((full * (100 - percentOff)) / 100);
  return object<Stripe.Invoice>({
    id: fields.id ?? newId("in_"),
    object: "invoice",
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    attempted: false,
    automatic_tax: {
      enabled: isTaxed,
      disabled_reason: null,
      liability: null,
      provider: null,
      status: isTaxed ? "complete" : null,
    },
    total_taxes: isTaxed
      ? [
          {
            amount: isRegistered ? vatIn(amount) : 0,
            tax_behavior: "inclusive",
            taxability_reason: isRegistered ? "standard_rated" : "not_collecting",
            tax_rate_details: null,
            taxable_amount: amount,
            type: "tax_rate_details",
          },
        ]
      : null,
    billing_reason: fields.reason,
    created,
    currency: "usd",
    customer: subscription.customer as string,
    lines: object<Stripe.ApiList<Stripe.InvoiceLineItem>>({
      object: "list",
      data: subscription.items.data.map(({ id, price }) =>
        object<Stripe.InvoiceLineItem>({
          id: newId("il_"),
          object: "line_item",
          parent: {
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              proration_details: null,
              subscription: subscription.id,
              subscription_item: id,
            },
            type: "subscription_item_details",
          },
          period,
          pricing: {
            price_details: { price: price.id, product: String(price.product) },
            type: "price_details",
            unit_amount_decimal: null,
          },
        }),
      ),
      has_more: false,
    }),
    livemode: false,
    next_payment_attempt: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: subscription.id },
      type: "subscription_details",
    },
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
  });
}

export function subscriptionOf(invoice: Stripe.Invoice): string {
  return String(invoice.parent?.subscription_details?.subscription);
}
