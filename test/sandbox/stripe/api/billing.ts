/** /v1/subscriptions and /v1/invoices */
import type Stripe from "stripe";
import { z } from "zod";
import { newId } from "../objects/ids.ts";
import { newInvoice, subscriptionOf } from "../objects/invoice.ts";
import { periodOf } from "../objects/subscription.ts";
import { updateSubscription } from "../operations/invoices.ts";
import {
  cancelNow,
  hasEnded,
  nextPeriod,
  resume,
  scheduleEnd,
} from "../operations/subscriptions.ts";
import { type StripeService, timeOf } from "../service.ts";
import { liveCustomer, newest, percentOffNext } from "../state.ts";
import { found, noSuch, StripeFailure } from "./errors.ts";
import { listOf } from "./lists.ts";
import {
  filled,
  flag,
  ignored,
  integer,
  listing,
  mergedMetadata,
  metadata,
  noParameters,
  read,
} from "./params.ts";
import type { Route } from "./route.ts";

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
  proration_behavior: ignored,
});
const cancelFields = z.strictObject({
  cancellation_details: ignored,
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});
const resumeFields = z.strictObject({
  billing_cycle_anchor: ignored,
  payment_behavior: ignored,
  proration_behavior: ignored,
  proration_date: ignored,
});
const invoiceList = z.strictObject({
  ...listing,
  customer: filled.optional(),
  subscription: filled.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
});

const previewFields = z.strictObject({ subscription: filled });

export function billingRoutes(service: StripeService): Route[] {
  const { state } = service;

  function subscriptionWith(id: string): Stripe.Subscription {
    return found("subscription", id, state.subscriptions.get(id));
  }

  /** A customer that a filter names must exist, or have existed. */
  function checkCustomer(customer: string | undefined): void {
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
        checkCustomer(customer);
        const all = newest(state.subscriptions).filter(
          (subscription) =>
            (customer === undefined || subscription.customer === customer) &&
            (price === undefined ||
              subscription.items.data.some((item) => item.price.id === price)) &&
            passesStatus(subscription, status),
        );
        return listOf("subscription", "/v1/subscriptions", all, paging);
      },
    },
    {
      method: "GET",
      path: "/v1/subscriptions/:id",
      run: (fields, id) => read(noParameters, fields) && subscriptionWith(id),
    },
    {
      method: "POST",
      path: "/v1/subscriptions/:id",
      run(fields, id) {
        const subscription = subscriptionWith(id);
        const changes = read(subscriptionFields, fields);
        changeEnd(service, subscription, changes);
        if (changes.metadata !== undefined) {
          const merged = mergedMetadata(subscription.metadata, changes.metadata);
          updateSubscription(service, subscription, { metadata: merged });
        }
        return subscription;
      },
    },
    {
      method: "DELETE",
      path: "/v1/subscriptions/:id",
      run(fields, id) {
        const subscription = subscriptionWith(id);
        read(cancelFields, fields);
        if (hasEnded(subscription)) throw noSuch("subscription", id);
        cancelNow(service, subscription);
        return subscription;
      },
    },
    {
      method: "POST",
      path: "/v1/subscriptions/:id/resume",
      run(fields, id) {
        const subscription = subscriptionWith(id);
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
        checkCustomer(customer);
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
      method: "POST",
      path: "/v1/invoices/create_preview",
      run(fields) {
        const { subscription: id } = read(previewFields, fields);
        const subscription = subscriptionWith(id);
        const customer = liveCustomer(state, subscription.customer);
        if (!customer || !willBeBilled(subscription)) {
          throw new StripeFailure(
            404,
            `No upcoming invoices for customer: '${subscription.customer}'`,
            {
              code: "invoice_upcoming_none",
            },
          );
        }
        const { end } = periodOf(subscription);
        return newInvoice({
          ...{ id: newId("upcoming_in_"), customer, subscription, reason: "upcoming" },
          ...{ created: end, period: nextPeriod(subscription, end) },
          percentOff: percentOffNext(state, customer.id),
        });
      },
    },
    {
      method: "GET",
      path: "/v1/invoices/:id",
      run(fields, id) {
        read(noParameters, fields);
        return found("invoice", id, state.invoices.get(id));
      },
    },
  ];
}

function willBeBilled(subscription: Stripe.Subscription): boolean {
  const { status, cancel_at } = subscription;
  const ends = cancel_at !== null && cancel_at <= periodOf(subscription).end;
  return !ends && !hasEnded(subscription) && status !== "paused";
}

function changeEnd(
  service: StripeService,
  subscription: Stripe.Subscription,
  { cancel_at, cancel_at_period_end }: z.output<typeof subscriptionFields>,
): void {
  if (cancel_at === undefined && cancel_at_period_end === undefined) return;
  if (hasEnded(subscription)) {
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

/** Whether the subscription passes the filter `status`; without one, all pass but cancelled ones. */
function passesStatus(subscription: Stripe.Subscription, status: string | undefined): boolean {
  if (status === "all") return true;
  if (status === "ended") return hasEnded(subscription);
  if (status === undefined) return subscription.status !== "canceled";
  return subscription.status === status;
}
