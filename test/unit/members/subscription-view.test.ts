import { expect, test } from "vitest";
import { subscriptionView } from "~/members/subscription-view";
import { noSubscription, resolveTier, type SubscriptionRecord } from "~/members/tiers";
import { statuses } from "../../support/stripe/billing-stub";

const now = Date.UTC(2026, 10, 23);

function viewOf(status: string, changes: Partial<SubscriptionRecord> = {}) {
  const record = { ...noSubscription, tier: "premium" as const, status, ...changes };
  return subscriptionView(resolveTier(record), now);
}

const renewal = { renewsAt: Date.UTC(2026, 11, 22), price: "USD 2.99 for a month" };
const cancelAt = Date.UTC(2026, 11, 22, 23, 59);
const failure = { ...renewal, failedAt: Date.UTC(2026, 10, 22), retryAt: Date.UTC(2026, 10, 25) };

test.each<[string, Partial<SubscriptionRecord>, string, string]>([
  ["active", renewal, "Active", "Fivefold Premium, renews on 22 December, USD 2.99 for a month"],
  [
    "active",
    { renewsAt: Date.UTC(2027, 10, 22), price: "USD 29.90 for a year" },
    "Active",
    "Fivefold Premium, renews on 22 November 2027, USD 29.90 for a year",
  ],
  ["active", { ...renewal, price: null }, "Active", "Fivefold Premium, renews on 22 December"],
  ["active", {}, "Active", "Fivefold Premium"],
  ["active", { ...renewal, cancelAt }, "Active", "Fivefold Premium, ends on 22 December 2026"],
  [
    "past_due",
    failure,
    "Payment Required",
    "Fivefold Premium, payment failed on 22 November, next attempt on 25 November",
  ],
  [
    "past_due",
    { ...failure, retryAt: null },
    "Payment Required",
    "Fivefold Premium, payment failed on 22 November, not paid yet",
  ],
  ["past_due", {}, "Payment Required", "Fivefold Premium, payment failed, not paid yet"],
  // No webhook has told what has come of it.
  ["active", { ...renewal, renewsAt: now }, "Active", "Fivefold Premium"],
  [
    "past_due",
    { ...failure, retryAt: now },
    "Payment Required",
    "Fivefold Premium, payment failed on 22 November, not paid yet",
  ],
  [
    "past_due",
    { ...failure, cancelAt },
    "Payment Required",
    "Fivefold Premium, payment failed on 22 November, ends on 22 December 2026",
  ],
  ["unpaid", failure, "Free", "No Fivefold Premium until the open payment is made"],
  ["incomplete", failure, "Free", "Fivefold Premium begins when the first payment is made"],
  ["paused", renewal, "Free", "Fivefold Premium is paused"],
  ["canceled", { endedAt: cancelAt }, "Canceled", "Fivefold Premium ended on 22 December 2026"],
  ["canceled", {}, "Canceled", "Fivefold Premium has ended"],
  ["incomplete_expired", {}, "Free", "You see the latest 2 ratings of each song"],
  ["trialing", {}, "Free", "No Fivefold Premium from your subscription at the moment"],
])("the state of a subscription in a line %s %o", (status, changes, label, line) => {
  expect(viewOf(status, changes)).toMatchObject({ label, line });
});

test("the state of a subscription in a line of somebody without one, and of one that cannot be read", () => {
  expect(subscriptionView(resolveTier(null), now)).toMatchObject({
    label: "Free",
    line: "You see the latest 2 ratings of each song",
    manage: null,
  });
  expect(subscriptionView(resolveTier("unreadable"), now)).toMatchObject({
    label: "Free",
    line: "Your subscription cannot be read at the moment",
    manage: null,
  });
});

test("the button mends what can be mended; what is over can only be begun anew", () => {
  const buttons = new Map([...statuses, "of the future"].map((of) => [of, viewOf(of).manage]));
  expect(Object.fromEntries(buttons)).toEqual({
    active: "Manage Subscription",
    past_due: "Update payment",
    unpaid: "Update payment",
    incomplete: "Update payment",
    paused: "Manage Subscription",
    trialing: "Manage Subscription",
    "of the future": "Manage Subscription",
    canceled: null,
    incomplete_expired: null,
  });
});

test("a scheduled cancellation is announced while there is premium that it ends", () => {
  const note = "Subscription will be cancelled on 22 December 2026";
  expect(viewOf("active", { cancelAt }).ending).toBe(note);
  expect(viewOf("past_due", { cancelAt }).ending).toBe(note);
  expect(viewOf("canceled", { cancelAt }).ending).toBeNull();
  expect(viewOf("active").ending).toBeNull();
});
