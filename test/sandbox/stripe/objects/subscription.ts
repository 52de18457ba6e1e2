/** Subscription objects, as the API shows them. */
import type Stripe from "stripe";
import { newId } from "../state.ts";
import { monthAfter } from "../time.ts";
import { type Line, planOf, priceOf } from "./prices.ts";

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
}): Stripe.Subscription {
  const id = fields.id ?? newId("sub_");
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: fields.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: fields.created,
    currency: "usd",
    customer: fields.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: {
      object: "list",
      data: fields.lines.map((line) => newItem(id, line, fields)),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: fields.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: fields.created,
    status: fields.status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" },
    },
    trial_start: null,
  };
}

function newItem(
  subscription: string,
  line: Line,
  { created, period }: { created: number; period: Period },
): Stripe.SubscriptionItem {
  const price = priceOf(line.price);
  return {
    id: newId("si_", 14),
    object: "subscription_item",
    billing_thresholds: null,
    created,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: line.quantity,
    subscription,
    tax_rates: [],
  };
}

/** What the subscription is for. */
export function linesOf(subscription: Stripe.Subscription): Line[] {
  return subscription.items.data.map(({ price, quantity = 1 }) => ({ price: price.id, quantity }));
}

/** The period after `start`, by the first line's price. */
export function periodFrom(lines: readonly Line[], start: number, anchor = start): Period {
  const [first] = lines;
  const isYearly = first !== undefined && priceOf(first.price).recurring?.interval === "year";
  return { start, end: monthAfter(start, anchor, isYearly ? 12 : 1) };
}

/** The current period, which is the same for all items. */
export function periodOf(subscription: Stripe.Subscription): Period {
  const [first] = subscription.items.data;
  if (!first) throw new Error(`${subscription.id} has no items`);
  return { start: first.current_period_start, end: first.current_period_end };
}
