/** Subscriptions of the Stripe stand-in are renewed, become past due, recover and end. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { monthAfter } from "../../../sandbox/stripe/time.ts";
import { type StripeRig, startStripeRig } from "./rig.ts";

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

/** A subscriber, with functions for reading and changing the subscription. */
async function subscribed() {
  const { customer, subscription } = await rig.subscriber();
  const seen = (await rig.eventTypes(customer.id)).length;
  const invoices = async () => (await stripe.invoices.list({ customer: customer.id })).data;
  return {
    customer: customer.id,
    id: subscription.id,
    start: subscription,
    now: () => stripe.subscriptions.retrieve(subscription.id),
    events: () => rig.eventTypes(customer.id, seen),
    newestInvoice: async () => (await invoices())[0],
    control: (action: string, fields: Record<string, unknown> = {}) =>
      rig.control(action, { subscription: subscription.id, ...fields }),
  };
}

function period(subscription: Stripe.Subscription) {
  const item = subscription.items.data[0];
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
}

it("renews for another month", async () => {
  const one = await subscribed();
  const first = period(one.start);
  await one.control("stripePeriod");
  const renewed = await one.now();
  expect(renewed).toMatchObject({ status: "active", created: one.start.created });
  expect(period(renewed)).toEqual({ start: first.end, end: monthAfter(first.end, first.start) });
  expect(await one.newestInvoice()).toMatchObject({
    id: renewed.latest_invoice,
    status: "paid",
    billing_reason: "subscription_cycle",
    number: expect.stringMatching(/-0002$/),
    created: first.end,
    lines: { data: [{ period: period(renewed) }] },
  });
  expect(await one.events()).toEqual([
    "invoice.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
});

it("is past due when the card is declined, and active again once the invoice is paid", async () => {
  const one = await subscribed();
  await rig.control("stripeCard", { customer: one.customer, card: "declined" });
  await rig.control("stripePeriod", { customer: one.customer });
  expect((await one.now()).status).toBe("past_due");
  expect(await one.newestInvoice()).toMatchObject({
    status: "open",
    attempt_count: 1,
    amount_remaining: 299,
    next_payment_attempt: expect.any(Number),
  });
  expect(await one.events()).toEqual([
    "customer.updated",
    "invoice.created",
    "customer.subscription.updated",
    "invoice.finalized",
    "invoice.payment_failed",
    "customer.subscription.updated",
  ]);
  expect(await one.control("stripePayInvoice")).toMatchObject({ paid: false });
  expect(await one.newestInvoice()).toMatchObject({ status: "open", attempt_count: 2 });

  await rig.control("stripeCard", { customer: one.customer, card: "works" });
  expect(await one.control("stripePayInvoice")).toMatchObject({ paid: true });
  expect((await one.now()).status).toBe("active");
  expect(await one.newestInvoice()).toMatchObject({ status: "paid", amount_remaining: 0 });
  expect((await one.events()).slice(-3)).toEqual([
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
});

it("ends immediately, and is then listed only on request", async () => {
  const one = await subscribed();
  const listed = async (status?: Stripe.SubscriptionListParams.Status) => {
    const filter = { customer: one.customer, limit: 3, ...(status ? { status } : {}) };
    return (await stripe.subscriptions.list(filter)).data.length;
  };
  expect([await listed(), await listed("active"), await listed("canceled")]).toEqual([1, 1, 0]);
  expect(await stripe.subscriptions.cancel(one.id)).toMatchObject({
    status: "canceled",
    ended_at: expect.any(Number),
    cancellation_details: { reason: "cancellation_requested" },
  });
  expect([await listed(), await listed("canceled"), await listed("all")]).toEqual([0, 1, 1]);
  expect(await one.events()).toEqual(["customer.subscription.deleted"]);
  await expect(stripe.subscriptions.cancel(one.id)).rejects.toMatchObject({ statusCode: 404 });
});

it.each([
  ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z"],
  ["2026-02-28T10:00:00Z", "2026-01-31T10:00:00Z", "2026-03-31T10:00:00Z"],
  ["2026-12-15T23:59:59Z", "2026-12-15T23:59:59Z", "2027-01-15T23:59:59Z"],
])("a month from %s, with the anchor %s, ends on %s", (start, anchor, end) => {
  const seconds = (text: string) => Date.parse(text) / 1000;
  expect(monthAfter(seconds(start), seconds(anchor))).toBe(seconds(end));
});
