import { describe, expect, test } from "vitest";
import { givesPremium, noSubscription, resolveTier, type Tier } from "~/members/tiers";
import type { BilledSubscription } from "~/premium/billing";
import {
  isLive,
  isReplaced,
  mailOwed,
  noRecord,
  pickSubscription,
  recordOf,
  renews,
} from "~/premium/record";
import { billed, premium, statuses } from "../../support/stripe/billing-stub";

const { productId: product } = premium;

/** The record of a customer's subscriptions. */
function recordFrom(all: BilledSubscription[]) {
  return recordOf(pickSubscription(all, product), null);
}

describe("each status", () => {
  test.each<{ status: string; premium: boolean; live: boolean; tier: Tier }>([
    { status: "active", premium: true, live: true, tier: "premium" },
    { status: "past_due", premium: true, live: true, tier: "premium" },
    { status: "canceled", premium: false, live: false, tier: "free" },
    { status: "incomplete_expired", premium: false, live: false, tier: "free" },
    { status: "unpaid", premium: false, live: true, tier: "free" },
    { status: "incomplete", premium: false, live: true, tier: "free" },
    { status: "trialing", premium: false, live: true, tier: "free" },
    { status: "paused", premium: false, live: true, tier: "free" },
  ])("of $status: premium $premium, live $live", ({ status, premium, live, tier }) => {
    const record = recordFrom([billed({ status })]);
    expect(record).toEqual({
      ...noSubscription,
      status,
      tier: "premium",
      subscriptionId: "sub_1",
      startedAt: 2_000,
    });
    expect(givesPremium(record)).toBe(premium);
    expect(isLive({ status })).toBe(live);
    expect(resolveTier(record).tier).toBe(tier);
  });

  test("a record of the free tier gives no premium, whatever its status", () => {
    expect(statuses.filter((status) => givesPremium({ status, tier: "free" }))).toEqual([]);
  });
});

test("without a subscription the status is none", () => {
  expect(recordFrom([])).toEqual(noSubscription);
});

test("a subscription to another product does not count, even if it is active and newer", () => {
  const foreign = billed({ id: "sub_2", createdAt: 9_000, productIds: ["prod_other"] });
  expect(recordFrom([foreign])).toEqual(noSubscription);
  const ours = billed({ status: "canceled" });
  expect(recordFrom([foreign, ours])).toMatchObject({ status: "canceled" });
});

test("a subscription to premium and another product counts", () => {
  const both = billed({ productIds: ["prod_other", product] });
  expect(recordFrom([both])).toMatchObject({
    status: "active",
    subscriptionId: "sub_1",
  });
});

test("the start and a scheduled cancellation are recorded", () => {
  const cancelled = billed({ startedAt: 5_000, cancelAt: 7_000 });
  expect(recordFrom([cancelled])).toMatchObject({
    startedAt: 5_000,
    cancelAt: 7_000,
  });
});

describe("of several subscriptions", () => {
  test.each([
    { name: "active beats past due", wins: "active", loses: "past_due" },
    { name: "past due beats incomplete", wins: "past_due", loses: "incomplete" },
    { name: "past due beats unpaid", wins: "past_due", loses: "unpaid" },
    { name: "past due beats a trial", wins: "past_due", loses: "trialing" },
    { name: "incomplete beats ended", wins: "incomplete", loses: "canceled" },
    { name: "paused beats one that never began", wins: "paused", loses: "incomplete_expired" },
  ])("$name, though it is older", ({ wins, loses }) => {
    const old = billed({ id: "sub_old", status: wins, createdAt: 1_000 });
    const young = billed({ id: "sub_young", status: loses, createdAt: 2_000 });
    expect(recordFrom([old, young])).toMatchObject({
      status: wins,
      subscriptionId: "sub_old",
    });
  });

  test.each([
    { one: "active", other: "active" },
    { one: "canceled", other: "incomplete_expired" },
    { one: "unpaid", other: "paused" },
  ])("$one and $other have the same rank, so the newer one wins", ({ one, other }) => {
    const old = billed({ id: "sub_old", status: one, createdAt: 1_000 });
    const young = billed({ id: "sub_young", status: other, createdAt: 2_000 });
    expect(recordFrom([old, young]).subscriptionId).toBe("sub_young");
  });

  test("that began in the same second, the one with the last id wins", () => {
    const twins = ["sub_b", "sub_c", "sub_a"].map((id) => billed({ id }));
    expect(recordFrom(twins).subscriptionId).toBe("sub_c");
  });
});

test("one renews that is active, charged by the provider, and not cancelled", () => {
  expect(renews(billed())).toBe(true);
  const others = [
    { status: "past_due" },
    { status: "paused" },
    { cancelAt: 1 },
    { isCharged: false },
  ];
  for (const changes of others) expect(renews(billed(changes))).toBe(false);
});

test("the next payment is recorded with its period, where it is known", () => {
  const [at, until] = [Date.UTC(2026, 11, 22), Date.UTC(2027, 0, 22)];
  expect(recordOf(billed(), { at, until, amount: "USD 2.99" })).toMatchObject({
    renewsAt: at,
    price: "USD 2.99 for a month",
  });
  expect(recordOf(billed(), { at, until, amount: null })).toMatchObject({
    renewsAt: at,
    price: null,
  });
  expect(recordOf(billed(), null)).toMatchObject({ renewsAt: null, price: null });
});

function readingOf(subscription: Partial<BilledSubscription>, askedAt = 5) {
  return { record: recordOf(billed(subscription), null), customerId: "cus_1", askedAt };
}

const another = { customerId: "cus_2", syncedAt: 1, tier: "premium" as const };

test.each([
  { name: "no record", before: {}, status: "unpaid", replaces: true },
  {
    name: "one of the same moment",
    before: { customerId: "cus_1", syncedAt: 5 },
    status: "unpaid",
    replaces: true,
  },
  { name: "a newer one", before: { customerId: "cus_1", syncedAt: 6 }, replaces: false },
  {
    name: "another customer's that has ended",
    before: { ...another, status: "canceled" },
    replaces: true,
  },
  { name: "another customer's premium", before: { ...another, status: "past_due" } },
  {
    name: "another customer's, by one that gives none",
    before: { ...another, status: "canceled" },
    status: "unpaid",
  },
])("a reading takes the place of $name: $replaces", (row) => {
  const { before, status = "active", replaces = false } = row;
  expect(isReplaced({ ...noRecord, ...before }, readingOf({ status }))).toBe(replaces);
});

const day = 24 * 60 * 60 * 1000;
const had = { tier: "premium" as const, status: "active", subscriptionId: "sub_1" };

test.each([
  { name: "a first one", before: {}, now: {}, mail: "premium_welcome" },
  { name: "the same one again", before: had, now: {}, mail: null },
  {
    name: "one that was incomplete",
    before: { ...had, status: "incomplete" },
    now: {},
    mail: "premium_welcome",
  },
  { name: "one that is paid late", before: { ...had, status: "past_due" }, now: {}, mail: null },
  { name: "a failed payment", before: had, now: { status: "past_due" }, mail: "past_due" },
  {
    name: "a cancellation while a payment is missing",
    before: { ...had, status: "past_due" },
    now: { status: "past_due", cancelAt: 9 },
    mail: "premium_cancelled",
  },
  { name: "a cancellation", before: had, now: { cancelAt: 9 }, mail: "premium_cancelled" },
  {
    name: "a second cancellation within a day",
    before: { ...had, cancellationMailedAt: day + 1 },
    now: { cancelAt: 9 },
    mail: null,
  },
  {
    name: "one a day after the first",
    before: { ...had, cancellationMailedAt: day },
    now: { cancelAt: 9 },
    mail: "premium_cancelled",
  },
  { name: "an end", before: had, now: { status: "canceled", endedAt: 9 }, mail: "premium_ended" },
  {
    name: "an end that was announced",
    before: { ...had, cancelAt: 9 },
    now: { status: "canceled", endedAt: 9 },
    mail: null,
  },
  { name: "an end of what gave none", before: {}, now: { status: "canceled" }, mail: null },
])("$name owes $mail", ({ before, now, mail }) => {
  expect(mailOwed({ ...noRecord, ...before }, readingOf(now, 2 * day))).toBe(mail);
});
