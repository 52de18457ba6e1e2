/** Time passes for subscriptions of the Stripe stand-in: renewed, past due, recovered, ended. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { monthAfter } from "../../../sandbox/stripe/time.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

/** A subscriber, and ways to look at what becomes of them. */
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
    order: (action: string, fields: Record<string, unknown> = {}) =>
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
  await one.order("stripePeriod");
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
  expect(await one.order("stripePayInvoice")).toMatchObject({ paid: false });
  expect(await one.newestInvoice()).toMatchObject({ status: "open", attempt_count: 2 });

  await rig.control("stripeCard", { customer: one.customer, card: "works" });
  expect(await one.order("stripePayInvoice")).toMatchObject({ paid: true });
  expect((await one.now()).status).toBe("active");
  expect(await one.newestInvoice()).toMatchObject({ status: "paid", amount_remaining: 0 });
  expect((await one.events()).slice(-3)).toEqual([
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
});

it("fails once where that was asked for", async () => {
  const one = await subscribed();
  await rig.control("stripeCard", { customer: one.customer, card: "declinedOnce" });
  await one.order("stripePeriod");
  expect((await one.now()).status).toBe("past_due");
  await one.order("stripePeriod");
  expect((await one.now()).status).toBe("active");
  // The older invoice is still open; what becomes of it says nothing about the subscription.
  await rig.control("stripeCard", { customer: one.customer, card: "declined" });
  expect(await one.order("stripePayInvoice")).toMatchObject({ paid: false });
  expect((await one.now()).status).toBe("active");
});

it("waits for the customer where the bank wants the payment confirmed", async () => {
  const one = await subscribed();
  await one.order("stripeActionRequired");
  expect((await one.now()).status).toBe("past_due");
  expect((await one.events()).slice(-3)).toEqual([
    "invoice.payment_failed",
    "invoice.payment_action_required",
    "customer.subscription.updated",
  ]);
});

it("ends with the period where it was cancelled by the API", async () => {
  const one = await subscribed();
  const { end } = period(one.start);
  const update = (fields: Stripe.SubscriptionUpdateParams) =>
    stripe.subscriptions.update(one.id, fields);
  expect(await update({ cancel_at_period_end: true })).toMatchObject({
    status: "active",
    cancel_at: end,
    cancel_at_period_end: true,
    canceled_at: expect.any(Number),
  });
  expect(await update({ cancel_at_period_end: false })).toMatchObject({
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
  });
  await update({ cancel_at_period_end: true });
  await one.order("stripePeriod");
  expect(await one.now()).toMatchObject({ status: "canceled", ended_at: end, cancel_at: end });
  expect(await one.events()).toEqual([
    ...[1, 2, 3].map(() => "customer.subscription.updated"),
    "customer.subscription.deleted",
  ]);
});

it("ends at a time that was given, before the period does", async () => {
  const one = await subscribed();
  const soon = period(one.start).start + 5 * 24 * 60 * 60;
  await stripe.subscriptions.update(one.id, { cancel_at: soon, metadata: { why: "test" } });
  await one.order("stripePeriod");
  expect(await one.now()).toMatchObject({
    status: "canceled",
    ended_at: soon,
    metadata: { why: "test" },
  });
  const late = stripe.subscriptions.update(one.id, { cancel_at_period_end: true });
  await expect(late).rejects.toMatchObject({ code: "invalid_canceled_subscription_fields" });
});

it("ends at once, and then is listed only on demand", async () => {
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

it("pauses and resumes", async () => {
  const one = await subscribed();
  await expect(stripe.subscriptions.resume(one.id)).rejects.toMatchObject({ statusCode: 400 });
  await one.order("stripePause");
  expect((await one.now()).status).toBe("paused");
  expect((await stripe.subscriptions.resume(one.id)).status).toBe("active");
  expect(await one.events()).toEqual([
    "customer.subscription.updated",
    "customer.subscription.paused",
    "customer.subscription.updated",
    "customer.subscription.resumed",
  ]);
});

it("announces the end of a trial, and bills after it", async () => {
  const one = await subscribed();
  await one.order("stripeTrialEnd");
  const trial = await one.now();
  expect(trial).toMatchObject({ status: "trialing", trial_end: period(trial).end });
  expect((await one.events()).at(-1)).toBe("customer.subscription.trial_will_end");
  await one.order("stripePeriod");
  expect((await one.now()).status).toBe("active");
});

it.each([
  ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z"],
  ["2026-02-28T10:00:00Z", "2026-01-31T10:00:00Z", "2026-03-31T10:00:00Z"],
  ["2026-12-15T23:59:59Z", "2026-12-15T23:59:59Z", "2027-01-15T23:59:59Z"],
])("counts a month from %s, begun on %s, to %s", (start, anchor, end) => {
  const seconds = (text: string) => Date.parse(text) / 1000;
  expect(monthAfter(seconds(start), seconds(anchor))).toBe(seconds(end));
});
