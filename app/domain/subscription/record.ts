import type { BilledSubscription } from "~/adapters/billing/billing";
import type { SubscriptionRecord } from "~/domain/tiers/tiers";

/** The statuses that give premium (spec section 4, "Tier resolution"). */
export const premiumStatuses = ["active", "past_due"];
/** The statuses of a subscription that has ended, or that never began. */
export const endedStatuses = ["canceled", "incomplete_expired"];

/** Whether a record gives premium now. */
export function givesPremium(record: Pick<SubscriptionRecord, "status" | "tier">): boolean {
  return record.tier === "premium" && premiumStatuses.includes(record.status);
}

/** Whether there is something to manage at the payment provider, premium or not. */
export function isManageable(status: string): boolean {
  return !["none", "error"].includes(status) && isLive({ status });
}

/** Whether a subscription is still to be paid for, so that a second one must not be sold. */
export function isLive({ status }: Pick<BilledSubscription, "status">): boolean {
  return !endedStatuses.includes(status);
}

/**
 * The record that a customer's subscriptions come to: of those to the product the one that gives
 * premium, else the one that may yet, else the last one. Subscriptions to anything else do not count.
 */
export function pickSubscription(
  subscriptions: BilledSubscription[],
  productId: string,
): SubscriptionRecord {
  const ours = subscriptions
    .filter(({ productIds }) => productIds.includes(productId))
    .toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const [found] = ours;
  if (!found) {
    return { status: "none", tier: "free", subscriptionId: null, startedAt: null, cancelAt: null };
  }
  const { id, status, startedAt, cancelAt } = found;
  return { status, tier: "premium", subscriptionId: id, startedAt, cancelAt };
}

function rank({ status }: BilledSubscription): number {
  const at = premiumStatuses.indexOf(status);
  if (at >= 0) return at;
  return endedStatuses.includes(status) ? 3 : 2;
}
