import { expect, test } from "vitest";
import { resolveTier, statusLabel, type Tier, tierConfigs } from "~/members/tiers";

const payment = { renewsAt: 3, price: "USD 2.99", failedAt: 4, retryAt: 5, endedAt: 6 };
const noPayment = { renewsAt: null, price: null, failedAt: null, retryAt: null, endedAt: null };

function record(status: string, tier: Tier = "premium") {
  return { status, tier, subscriptionId: "sub_1", startedAt: 1, cancelAt: 2, ...payment };
}

test.each<{ status: string; recorded: Tier; tier: Tier; warns: boolean }>([
  { status: "active", recorded: "premium", tier: "premium", warns: false },
  { status: "active", recorded: "free", tier: "free", warns: false },
  { status: "past_due", recorded: "premium", tier: "premium", warns: true },
  { status: "canceled", recorded: "premium", tier: "free", warns: false },
  { status: "none", recorded: "premium", tier: "free", warns: false },
  { status: "unpaid", recorded: "premium", tier: "free", warns: false },
  { status: "incomplete", recorded: "premium", tier: "free", warns: false },
  { status: "incomplete_expired", recorded: "premium", tier: "free", warns: false },
  { status: "trialing", recorded: "premium", tier: "free", warns: false },
  { status: "paused", recorded: "premium", tier: "free", warns: false },
  { status: "ACTIVE", recorded: "premium", tier: "free", warns: false },
  { status: "", recorded: "premium", tier: "free", warns: false },
])("the tier of a subscription that is '$status' and recorded as $recorded is $tier", (row) => {
  expect(resolveTier(record(row.status, row.recorded))).toEqual({
    tier: row.tier,
    subscriptionStatus: row.status,
    subscriptionId: "sub_1",
    startedAt: 1,
    cancelAt: 2,
    showPaymentWarning: row.warns,
    payment,
  });
});

test("the tier of a subscription that does not exist is free", () => {
  expect(resolveTier(null)).toEqual({
    tier: "free",
    subscriptionStatus: "none",
    subscriptionId: null,
    startedAt: null,
    cancelAt: null,
    showPaymentWarning: false,
    payment: noPayment,
  });
});

test("the two tiers have the values of rule 2, tiers", () => {
  expect(tierConfigs.free).toMatchObject({
    requiredSeconds: 55,
    maxVisibleRatings: 2,
    ratingsToSubmit: 6,
    packageSize: 5,
    showUpgradePrompts: true,
  });
  expect(tierConfigs.premium).toMatchObject({
    requiredSeconds: 34,
    maxVisibleRatings: -1,
    ratingsToSubmit: 4,
    packageSize: 4,
    showUpgradePrompts: false,
    monthlyPrice: 2.99,
  });
});

test.each([
  ["active", "Active"],
  ["past_due", "Payment Required"],
  ["canceled", "Canceled"],
  ["none", "Free"],
  ["unpaid", "Free"],
  ["incomplete", "Free"],
  ["trialing", "Free"],
  ["paused", "Free"],
  ["Active", "Free"],
  ["", "Free"],
  ["constructor", "Free"],
  ["__proto__", "Free"],
])("the label of a status '%s' is %s", (status, label) => {
  expect(statusLabel(status)).toBe(label);
});

test("an unreadable record gives the free tier, with the status error", () => {
  expect(resolveTier("unreadable")).toEqual({
    tier: "free",
    subscriptionStatus: "error",
    subscriptionId: null,
    startedAt: null,
    cancelAt: null,
    showPaymentWarning: false,
    payment: noPayment,
  });
});
