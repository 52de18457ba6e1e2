/** /v1/subscriptions and /v1/invoices */
import type Stripe from "stripe";
import { z } from "zod";
import { subscriptionOf } from "../objects/invoice.ts";
import { update } from "../operations/invoices.ts";
import { cancelNow, isOver, resume, scheduleEnd } from "../operations/subscriptions.ts";
import { type StripeService, timeOf } from "../service.ts";
import { newest } from "../state.ts";
import { noSuch, StripeFailure } from "./errors.ts";
import { listOf } from "./lists.ts";
import {
  filled,
  flag,
  integer,
  listing,
  mergedMetadata,
  metadata,
  read,
  tolerated,
} from "./params.ts";
import type { Route } from "./route.ts";

const nothing = z.strictObject({});
const subscriptionList = z.strictObject({
  ...listing,
  customer: filled.optional(),
  price: filled.optional(),
  status: z
    .enum([
      "active",
      "all",
      "canceled",
      "ended",
      "incomplete",
      "incomplete_expired",
      "past_due",
      "paused",
      "trialing",
      "unpaid",
    ])
    .optional(),
});
const subscriptionFields = z.strictObject({
  cancel_at_period_end: flag.optional(),
  cancel_at: z.literal("").or(integer).optional(),
  metadata: metadata.optional(),
  proration_behavior: tolerated,
});
const cancelFields = z.strictObject({
  cancellation_details: tolerated,
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});
const resumeFields = z.strictObject({
  billing_cycle_anchor: tolerated,
  payment_behavior: tolerated,
  proration_behavior: tolerated,
  proration_date: tolerated,
});
const invoiceList = z.strictObject({
  ...listing,
  customer: filled.optional(),
  subscription: filled.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
});

export function billingRoutes(service: StripeService): Route[] {
  const { state } = service;

  function subscriptionAt(id: string): Stripe.Subscription {
    const subscription = state.subscriptions.get(id);
    if (!subscription) throw noSuch("subscription", id);
    return subscription;
  }

  /** Where a filter names a customer, there must be one, or have been. */
  function known(customer: string | undefined): void {
    if (customer !== undefined && !state.customers.has(customer)) {
      throw noSuch("customer", customer, "customer");
    }
  }

  return [
    {
      method: "GET",
      path: "/v1/subscriptions",
      run(fields) {
        const { customer, price, status, ...paging } = read(subscriptionList, fields);
        known(customer);
        const all = newest(state.subscriptions).filter(
          (subscription) =>
            (customer === undefined || subscription.customer === customer) &&
            (price === undefined ||
              subscription.items.data.some((item) => item.price.id === price)) &&
            hasStatus(subscription, status),
        );
        return listOf("subscription", "/v1/subscriptions", all, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/subscriptions/:id",
      run: (fields, id) => read(nothing, fields) && subscriptionAt(id),
    },
    {
      method: "POST",
      path: "/v1/subscriptions/:id",
      run(fields, id) {
        const subscription = subscriptionAt(id);
        const wanted = read(subscriptionFields, fields);
        changeEnd(service, subscription, wanted);
        if (wanted.metadata !== undefined) {
          const merged = mergedMetadata(subscription.metadata, wanted.metadata);
          update(service, subscription, { metadata: merged });
        }
        return subscription;
      },
    },
    {
      method: "DELETE",
      path: "/v1/subscriptions/:id",
      run(fields, id) {
        const subscription = subscriptionAt(id);
        read(cancelFields, fields);
        if (isOver(subscription)) throw noSuch("subscription", id);
        cancelNow(service, subscription);
        return subscription;
      },
    },
    {
      method: "POST",
      path: "/v1/subscriptions/:id/resume",
      run(fields, id) {
        const subscription = subscriptionAt(id);
        read(resumeFields, fields);
        if (subscription.status !== "paused") {
          throw new StripeFailure(400, "Only paused subscriptions can be resumed.");
        }
        resume(service, subscription);
        return subscription;
      },
    },
    {
      method: "GET",
      path: "/v1/invoices",
      run(fields) {
        const { customer, subscription, status, ...paging } = read(invoiceList, fields);
        known(customer);
        const all = newest(state.invoices).filter(
          (invoice) =>
            (customer === undefined || invoice.customer === customer) &&
            (subscription === undefined || subscriptionOf(invoice) === subscription) &&
            (status === undefined || invoice.status === status),
        );
        return listOf("invoice", "/v1/invoices", all, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/invoices/:id",
      run(fields, id) {
        read(nothing, fields);
        const invoice = state.invoices.get(id);
        if (!invoice) throw noSuch("invoice", id);
        return invoice;
      },
    },
  ];
}

function changeEnd(
  service: StripeService,
  subscription: Stripe.Subscription,
  { cancel_at, cancel_at_period_end }: z.output<typeof subscriptionFields>,
): void {
  if (cancel_at === undefined && cancel_at_period_end === undefined) return;
  if (isOver(subscription)) {
    const message =
      "A canceled subscription can only update its cancellation_details and metadata.";
    throw new StripeFailure(400, message, { code: "invalid_canceled_subscription_fields" });
  }
  if (typeof cancel_at === "number") {
    if (cancel_at <= timeOf(service, subscription.customer)) {
      throw new StripeFailure(400, "`cancel_at` must be a timestamp in the future.", {
        param: "cancel_at",
      });
    }
    scheduleEnd(service, subscription, cancel_at);
  } else {
    scheduleEnd(service, subscription, cancel_at_period_end ? "period_end" : null, true);
  }
}

/** Without a status: what is not cancelled. "ended": what is over. */
function hasStatus(subscription: Stripe.Subscription, status: string | undefined): boolean {
  if (status === "all") return true;
  if (status === "ended") return isOver(subscription);
  if (status === undefined) return subscription.status !== "canceled";
  return subscription.status === status;
}
