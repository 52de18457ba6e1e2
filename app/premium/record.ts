import { noSubscription, type SubscriptionRecord } from "~/members/tiers";
import { periodText } from "~/platform/dates";
import type { BilledSubscription, NextPayment } from "./billing";

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
 * premium, else one that may still do so, else the latest; null without any.
 */
export function pickSubscription(
  subscriptions: BilledSubscription[],
  productId: string,
): BilledSubscription | null {
  const ours = subscriptions
    .filter(({ productIds }) => productIds.includes(productId))
    .toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return ours[0] ?? null;
}

/** Checks whether a subscription is charged for another period once this one is over. */
export function renews({ status, cancelAt, isCharged }: BilledSubscription): boolean {
  return status === "active" && cancelAt === null && isCharged;
}

/** The record of a subscription. @param next its next payment, or null where none is due or known. */
export function recordOf(
  subscription: BilledSubscription | null,
  next: NextPayment | null,
): SubscriptionRecord {
  if (!subscription) return noSubscription;
  const { id: subscriptionId, status, startedAt, cancelAt, ...rest } = subscription;
  const { failedAt, retryAt, endedAt } = rest;
  const price = next?.amount ? `${next.amount} for ${periodText(next.at, next.until)}` : null;
  return {
    ...{ tier: "premium", subscriptionId, status, startedAt, cancelAt },
    ...{ failedAt, retryAt, endedAt, renewsAt: next?.at ?? null, price },
  };
}

function rank({ status }: BilledSubscription): number {
  const at = premiumStatuses.indexOf(status);
  if (at >= 0) return at;
  return endedStatuses.includes(status) ? 3 : 2;
}
