import type { BilledSubscription } from "~/adapters/billing/billing";
import { noSubscription, type SubscriptionRecord } from "~/domain/tiers/tiers";

/** The statuses that give premium (rule 3). */
export const premiumStatuses = ["active", "past_due"];
/** The statuses of a subscription that has ended or never began. */
export const endedStatuses = ["canceled", "incomplete_expired"];

/** Checks whether a record gives premium now. */
export function givesPremium(record: Pick<SubscriptionRecord, "status" | "tier">): boolean {
  return record.tier === "premium" && premiumStatuses.includes(record.status);
}

/** Checks whether a subscription still has to be paid for, so that no second one may be sold. */
export function isLive({ status }: Pick<BilledSubscription, "status">): boolean {
  return !endedStatuses.includes(status);
}

/**
 * Picks the subscription that counts among a customer's subscriptions to the product: one that gives
 * premium, else one that may still do so, else the latest.
 */
export function pickSubscription(
  subscriptions: BilledSubscription[],
  productId: string,
): SubscriptionRecord {
  const ours = subscriptions
    .filter(({ productIds }) => productIds.includes(productId))
    .toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const [found] = ours;
  if (!found) return noSubscription;
  const { id: subscriptionId, createdAt: _, productIds: __, ...record } = found;
  return { ...record, tier: "premium", subscriptionId };
}

function rank({ status }: BilledSubscription): number {
  const at = premiumStatuses.indexOf(status);
  if (at >= 0) return at;
  return endedStatuses.includes(status) ? 3 : 2;
}
