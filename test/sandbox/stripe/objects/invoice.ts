/** Invoice objects, as the API shows them. */
import type Stripe from "stripe";
import { newId } from "../state.ts";
import { amountOf, decimal, dollars, nameOf } from "./prices.ts";
import { linesOf, type Period } from "./subscription.ts";

/** A draft invoice for one period of a subscription. `created` is in epoch seconds. */
export function newInvoice(fields: {
  id?: string;
  customer: Stripe.Customer;
  subscription: Stripe.Subscription;
  reason: Stripe.Invoice.BillingReason;
  created: number;
  period: Period;
  /** What a coupon takes off, in percent. */
  percentOff?: number;
}): Stripe.Invoice {
  const { customer, subscription, created } = fields;
  const id = fields.id ?? newId("in_");
  const full = amountOf(linesOf(subscription));
  const amount = Math.round((full * (100 - (fields.percentOff ?? 0))) / 100);
  return {
    id,
    object: "invoice",
    account_country: "US",
    account_name: "Fivefold sandbox",
    account_tax_ids: null,
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: fields.reason,
    collection_method: "charge_automatically",
    created,
    currency: "usd",
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: "list",
      data: subscription.items.data.map((item) => invoiceLine(id, item, fields.period)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: created,
    period_start: created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: full,
    subtotal_excluding_tax: full,
    test_clock: null,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  };
}

function invoiceLine(
  invoice: string,
  { id, subscription, price, quantity = 1 }: Stripe.SubscriptionItem,
  period: Period,
): Stripe.InvoiceLineItem {
  const cents = price.unit_amount ?? 0;
  return {
    id: newId("il_"),
    object: "line_item",
    amount: cents * quantity,
    currency: "usd",
    description: `${quantity} × ${nameOf(price)} (at ${dollars(cents)} / month)`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription,
        subscription_item: id,
      },
      type: "subscription_item_details",
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: String(price.product) },
      type: "price_details",
      unit_amount_decimal: decimal(cents),
    },
    quantity,
    quantity_decimal: decimal(quantity),
    subscription,
    subtotal: cents * quantity,
    taxes: [],
  };
}

/** The subscription an invoice is for. */
export function subscriptionOf(invoice: Stripe.Invoice): string | null {
  const subscription = invoice.parent?.subscription_details?.subscription;
  return typeof subscription === "string" ? subscription : null;
}
