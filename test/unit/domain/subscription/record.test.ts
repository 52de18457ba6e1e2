import { describe, expect, test } from "vitest";
import { givesPremium, isLive, pickSubscription } from "~/domain/subscription/record";
import { noSubscription, resolveTier, type Tier } from "~/domain/tiers/tiers";
import { billed, premium, statuses } from "../../../support/stripe/billing-stub";

const { productId: product } = premium;

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
    const record = pickSubscription([billed({ status })], product);
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
  expect(pickSubscription([], product)).toEqual(noSubscription);
});

test("a subscription to another product does not count, even if it is active and newer", () => {
  const foreign = billed({ id: "sub_2", createdAt: 9_000, productIds: ["prod_other"] });
  expect(pickSubscription([foreign], product)).toEqual(noSubscription);
  const ours = billed({ status: "canceled" });
  expect(pickSubscription([foreign, ours], product)).toMatchObject({ status: "canceled" });
});

test("a subscription to premium and another product counts", () => {
  const both = billed({ productIds: ["prod_other", product] });
  expect(pickSubscription([both], product)).toMatchObject({
    status: "active",
    subscriptionId: "sub_1",
  });
});

test("the start and a scheduled cancellation are recorded", () => {
  const cancelled = billed({ startedAt: 5_000, cancelAt: 7_000 });
  expect(pickSubscription([cancelled], product)).toMatchObject({
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
    expect(pickSubscription([old, young], product)).toMatchObject({
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
    expect(pickSubscription([old, young], product).subscriptionId).toBe("sub_young");
  });

  test("that began in the same second, the one with the last id wins", () => {
    const twins = ["sub_b", "sub_c", "sub_a"].map((id) => billed({ id }));
    expect(pickSubscription(twins, product).subscriptionId).toBe("sub_c");
  });
});
