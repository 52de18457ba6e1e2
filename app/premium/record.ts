import { sql } from "drizzle-orm";
import {
  givesPremium,
  noSubscription,
  premiumStatuses,
  type SubscriptionRecord,
} from "~/members/tiers";
import type { MailKind } from "~/outbox/owe-mail.server";
import { dayMs, periodText } from "~/platform/dates";
import type { BilledSubscription, NextPayment } from "./billing";

const endedStatuses = ["canceled", "incomplete_expired"];

/** Spelled out, as an index does. */
export const overStatuses = sql.raw(
  ["none", ...endedStatuses].map((status) => `'${status}'`).join(", "),
);

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
    price: next?.amount ? `${next.amount} for ${periodText(next.at, next.until)}${next.vat}` : null,
  };
}

function rank({ status }: BilledSubscription): number {
  const index = premiumStatuses.indexOf(status);
  if (index >= 0) return index;
  return endedStatuses.includes(status) ? 3 : 2;
}

/** What is on record of a user when a reading of the provider is to take its place. */
export interface RecordBefore
  extends Pick<SubscriptionRecord, "status" | "tier" | "subscriptionId" | "cancelAt"> {
  customerId: string | null;
  syncedAt: number;
  /** When the latest mail of a cancellation was owed that has not been skipped. */
  cancellationMailedAt: number | null;
}

export const noRecord: RecordBefore = {
  ...noSubscription,
  customerId: null,
  syncedAt: 0,
  cancellationMailedAt: null,
};

export interface Reading {
  record: SubscriptionRecord;
  customerId: string;
  /** When the provider was asked. */
  askedAt: number;
}

/** A reading replaces neither a newer record nor, unless it alone gives premium, another customer's. */
export function isReplaced(
  before: RecordBefore,
  { record, customerId, askedAt }: Reading,
): boolean {
  if (before.syncedAt > askedAt) return false;
  if (before.customerId === customerId) return true;
  return givesPremium(record)
    ? !premiumStatuses.includes(before.status)
    : before.customerId === null;
}

/** The mail, at most one, that a user is owed where a reading replaces the record before. */
export function mailOwed(
  before: RecordBefore,
  { record: { status, tier, subscriptionId, cancelAt, endedAt }, askedAt }: Reading,
): MailKind | null {
  const isOther = before.subscriptionId !== subscriptionId;
  // A user who cancels, renews and cancels again within a day gets one mail.
  const isCancelled =
    cancelAt !== null &&
    cancelAt !== before.cancelAt &&
    (before.cancellationMailedAt ?? Number.NEGATIVE_INFINITY) <= askedAt - dayMs;
  if (!givesPremium({ status, tier })) {
    // The date of a cancellation has been mailed already.
    const isAnnounced = before.cancelAt !== null && endedAt !== null && before.cancelAt <= endedAt;
    return givesPremium(before) && !isAnnounced ? "premium_ended" : null;
  }
  if (status === "past_due") {
    if (before.status === "past_due") return isCancelled ? "premium_cancelled" : null;
    return givesPremium(before) ? "past_due" : null;
  }
  if (cancelAt !== null) return isOther || isCancelled ? "premium_cancelled" : null;
  // A subscription that a late payment brings back is not welcomed again.
  const isNew = isOther || ["incomplete", "trialing"].includes(before.status);
  return isNew ? "premium_welcome" : null;
}
