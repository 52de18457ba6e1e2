import { expect, test } from "vitest";
import { givesPremium, noSubscription, resolveTier } from "~/members/tiers";
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

test.each<[status: string, isPremium: boolean, isLive: boolean]>([
  ["active", true, true],
  ["past_due", true, true],
  ["canceled", false, false],
  ["incomplete_expired", false, false],
  ["unpaid", false, true],
  ["incomplete", false, true],
  ["trialing", false, true],
  ["paused", false, true],
])("a subscription of status %s gives Premium: %s, and is live: %s", (status, gives, live) => {
  const record = recordFrom([billed({ status })]);
  expect(record).toEqual({
    ...{ ...noSubscription, status, tier: "premium", subscriptionId: "sub_1", startedAt: 2_000 },
  });
  expect(givesPremium(record)).toBe(gives);
  expect(isLive({ status })).toBe(live);
  expect(resolveTier(record).tier).toBe(gives ? "premium" : "free");
});

test("a record of the free tier gives no premium, whatever its status", () => {
  expect(statuses.filter((status) => givesPremium({ status, tier: "free" }))).toEqual([]);
});

test("without a subscription to the product, even beside another, the status is none", () => {
  const foreign = billed({ id: "sub_2", createdAt: 9_000, productIds: ["prod_other"] });
  expect([recordFrom([]), recordFrom([foreign])]).toEqual([noSubscription, noSubscription]);
});

test("the start and a scheduled cancellation are recorded", () => {
  const cancelled = billed({ startedAt: 5_000, cancelAt: 7_000 });
  expect(recordFrom([cancelled])).toMatchObject({
    startedAt: 5_000,
    cancelAt: 7_000,
  });
});

test.each([
  ["active", "active", 1, 2],
  ["canceled", "incomplete_expired", 1, 2],
  ["unpaid", "paused", 1, 2],
  // Of the same second, the one with the last id.
  ["active", "active", 1, 1],
])("of subscriptions that are %s and %s the newer one wins", (one, other, before, after) => {
  const old = billed({ id: "sub_1", status: one, createdAt: before });
  const young = billed({ id: "sub_2", status: other, createdAt: after });
  expect(recordFrom([young, old]).subscriptionId).toBe("sub_2");
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
  expect(recordOf(billed(), { at, until, amount: "USD 2.99", vat: "" })).toMatchObject({
    renewsAt: at,
    price: "USD 2.99 for a month",
  });
  const taxed = { at, until, amount: "USD 2.99", vat: ", VAT included" } as const;
  expect(recordOf(billed(), taxed).price).toBe("USD 2.99 for a month, VAT included");
  expect(recordOf(billed(), { at, until, amount: null, vat: "" })).toMatchObject({
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
