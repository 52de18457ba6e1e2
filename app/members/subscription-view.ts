import { dayAndMonth, dayMs, fullDate } from "~/platform/dates";
import { type ResolvedTier, statusLabel, type Tier, tierConfigs } from "./tiers";

export interface SubscriptionView {
  tier: Tier;
  /** "Active", "Payment Required", "Canceled" or "Free". */
  label: string;
  /** "Fivefold Premium, renews on 22 December, USD 2.99 for a month". */
  line: string;
  ending: string | null;
  showPaymentWarning: boolean;
  manage: "Manage Subscription" | "Update payment" | null;
}

/** There is nothing to manage, because the subscription is over or never began. */
const overStatuses = ["none", "error", "canceled", "incomplete_expired"];
const unpaidStatuses = ["past_due", "unpaid", "incomplete"];

export function subscriptionView(subscription: ResolvedTier, now: number): SubscriptionView {
  const { tier, subscriptionStatus: status, cancelAt, showPaymentWarning } = subscription;
  const button = unpaidStatuses.includes(status) ? "Update payment" : "Manage Subscription";
  return {
    tier,
    label: statusLabel(status),
    line: stateLine(subscription, now),
    ending:
      tier === "premium" && cancelAt !== null
        ? `Subscription will be cancelled on ${fullDate(cancelAt)}`
        : null,
    showPaymentWarning,
    manage: overStatuses.includes(status) ? null : button,
  };
}

/** A date that has passed is left out. */
function stateLine(
  { subscriptionStatus, tier, cancelAt, payment }: ResolvedTier,
  now: number,
): string {
  const { price, failedAt, endedAt } = payment;
  const [renewsAt, retryAt] = [payment.renewsAt, payment.retryAt].map((at) =>
    at !== null && at > now ? at : null,
  );
  const failed =
    failedAt === null ? "payment failed" : `payment failed on ${dayAndMonth(failedAt)}`;
  switch (subscriptionStatus) {
    case "active":
      if (tier === "free") return noPremium;
      if (cancelAt !== null) return `Fivefold Premium, ends on ${fullDate(cancelAt)}`;
      if (!renewsAt) return "Fivefold Premium";
      return `Fivefold Premium, renews on ${renewalDate(renewsAt, now)}${price === null ? "" : `, ${price}`}`;
    case "past_due":
      if (cancelAt !== null) return `Fivefold Premium, ${failed}, ends on ${fullDate(cancelAt)}`;
      if (!retryAt) return `Fivefold Premium, ${failed}, not paid yet`;
      return `Fivefold Premium, ${failed}, next attempt on ${dayAndMonth(retryAt)}`;
    case "unpaid":
      return "No Fivefold Premium until the open payment is made";
    case "incomplete":
      return "Fivefold Premium begins when the first payment is made";
    case "paused":
      return "Fivefold Premium is paused";
    case "canceled":
      return endedAt === null
        ? "Fivefold Premium has ended"
        : `Fivefold Premium ended on ${fullDate(endedAt)}`;
    case "none":
    case "incomplete_expired":
      return `You see the latest ${tierConfigs.free.maxVisibleRatings} ratings of each song`;
    case "error":
      return "Your subscription cannot be read at the moment";
    default:
      return noPremium;
  }
}

const monthsAroundMs = 300 * dayMs;

function renewalDate(at: number, now: number): string {
  return at - now > monthsAroundMs ? fullDate(at) : dayAndMonth(at);
}

const noPremium = "No Fivefold Premium from your subscription at the moment";
