import { noSubscription, premiumStatuses, type SubscriptionRecord } from "~/members/tiers";
import { periodText } from "~/platform/dates";
import type { BilledSubscription, NextPayment } from "./billing";

export const endedStatuses = ["canceled", "incomplete_expired"];

/** A live subscription still has to be paid for, so that no second one may be sold. */
export function isLive({ status }: Pick<BilledSubscription, "status">): boolean {
  return !endedStatuses.includes(status);
}

/** Picks a subscription that gives premium, else one that may still do so, else the latest. */
export function pickSubscription(
  subscriptions: BilledSubscription[],
  productId: string,
): BilledSubscription | null {
  const ours = subscriptions
    .filter(({ productIds }) => productIds.includes(productId))
    .toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return ours[0] ?? null;
}

export function renews({ status, cancelAt, isCharged }: BilledSubscription): boolean {
  return status === "active" && cancelAt === null && isCharged;
}

export function recordOf(
  subscription: BilledSubscription | null,
  next: NextPayment | null,
): SubscriptionRecord {
  if (!subscription) return noSubscription;
  const {
    id: subscriptionId,
    status,
    startedAt,
    cancelAt,
    failedAt,
    retryAt,
    endedAt,
  } = subscription;
  return {
    tier: "premium",
    subscriptionId,
    status,
    startedAt,
    cancelAt,
    failedAt,
    retryAt,
    endedAt,
    renewsAt: next?.at ?? null,
    price: next?.amount ? `${next.amount} for ${periodText(next.at, next.until)}` : null,
  };
}

function rank({ status }: BilledSubscription): number {
  const index = premiumStatuses.indexOf(status);
  if (index >= 0) return index;
  return endedStatuses.includes(status) ? 3 : 2;
}
