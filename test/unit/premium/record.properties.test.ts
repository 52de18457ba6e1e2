import fc from "fast-check";
import { expect, test } from "vitest";
import { givesPremium } from "~/members/tiers";
import type { BilledSubscription } from "~/premium/billing";
import { isLive, pickSubscription, recordOf } from "~/premium/record";
import { billed, premium, statuses } from "../../support/stripe/billing-stub";

const { productId: product } = premium;

/** The record of a customer's subscriptions. */
function recordFrom(all: BilledSubscription[]) {
  return recordOf(pickSubscription(all, product), null);
}

/** Few times, so that many subscriptions have the same one. */
const time = fc.integer({ min: 1, max: 4 });
const subscription: fc.Arbitrary<BilledSubscription> = fc.record({
  id: fc.integer({ min: 1, max: 99 }).map((number) => `sub_${number}`),
  status: fc.constantFrom(...statuses, "of the future"),
  createdAt: time,
  startedAt: time,
  cancelAt: fc.option(time),
  isCharged: fc.boolean(),
  failedAt: fc.option(time),
  retryAt: fc.option(time),
  endedAt: fc.option(time),
  productIds: fc.uniqueArray(fc.constantFrom(product, "prod_other"), { maxLength: 2 }),
});
const customer = fc.uniqueArray(subscription, { maxLength: 6, selector: ({ id }) => id });
const shuffled = customer.chain((all) =>
  fc.tuple(
    fc.constant(all),
    fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
  ),
);

test("the order of a customer's subscriptions does not matter", () => {
  fc.assert(
    fc.property(shuffled, ([all, reordered]) => {
      expect(recordFrom(reordered)).toEqual(recordFrom(all));
    }),
  );
});

test("the record is one of the subscriptions, and gives premium exactly if one of them does", () => {
  fc.assert(
    fc.property(customer, (all) => {
      const ours = all.filter(({ productIds }) => productIds.includes(product));
      const record = recordFrom(all);
      const premium = ours.some(({ status }) => status === "active" || status === "past_due");
      expect(givesPremium(record)).toBe(premium);
      const found = ours.find(({ id }) => id === record.subscriptionId);
      if (ours.length === 0) expect(record).toMatchObject({ status: "none", tier: "free" });
      else expect(found).toMatchObject({ status: record.status, cancelAt: record.cancelAt });
    }),
  );
});

test("a newer subscription of a lower rank does not change the record", () => {
  const live = statuses.filter((status) => isLive({ status }));
  const above: Record<string, string[]> = { active: ["active"], past_due: ["active", "past_due"] };
  fc.assert(
    fc.property(fc.constantFrom(...live), customer, (status, others) => {
      const rank = above[status] ?? [...live, "of the future"];
      const stands = billed({ id: "sub_stands", status, createdAt: 0 });
      const below = others.filter((other) => !rank.includes(other.status));
      expect(recordFrom([...below, stands]).subscriptionId).toBe("sub_stands");
    }),
  );
});

test("the subscriptions themselves are not changed", () => {
  fc.assert(
    fc.property(customer, (all) => {
      const before = structuredClone(all);
      recordFrom(all);
      expect(all).toEqual(before);
    }),
  );
});
