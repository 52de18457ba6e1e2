/** The two tiers (rule 2). */
export type Tier = "free" | "premium";

export interface TierConfig {
  tier: Tier;
  name: string;
  /** Seconds a song must be heard before it can be rated. */
  requiredSeconds: number;
  /** Ratings an owner sees per song; -1 is unlimited. */
  maxVisibleRatings: number;
  ratingsToSubmit: number;
  /** Songs drawn into one carousel package (rule 2). */
  packageSize: number;
  showUpgradePrompts: boolean;
  /** USD a month; absent for free. */
  monthlyPrice?: number;
}

export const tierConfigs: Record<Tier, TierConfig> = {
  free: {
    tier: "free",
    name: "Free",
    requiredSeconds: 55,
    maxVisibleRatings: 2,
    ratingsToSubmit: 6,
    packageSize: 5,
    showUpgradePrompts: true,
  },
  premium: {
    tier: "premium",
    name: "Premium",
    requiredSeconds: 34,
    maxVisibleRatings: -1,
    ratingsToSubmit: 4,
    packageSize: 4,
    showUpgradePrompts: false,
    monthlyPrice: 2.99,
  },
};

/** The price of a subscription, and its dates in epoch milliseconds; null where there is none or none known. */
export interface PaymentDates {
  /** When the next payment is charged. */
  renewsAt: number | null;
  /** What is charged then, as people read it: "USD 2.99 for a month". */
  price: string | null;
  /** The first failure of the latest payment. */
  failedAt: number | null;
  /** When the payment provider tries that payment again by itself. */
  retryAt: number | null;
  /** When the subscription ended. */
  endedAt: number | null;
}

/** A user's subscription as the payment provider last reported it. */
export interface SubscriptionRecord extends PaymentDates {
  status: string;
  tier: Tier;
  subscriptionId: string | null;
  /** Epoch milliseconds. */
  startedAt: number | null;
  /** Epoch milliseconds at which a scheduled cancellation takes effect. */
  cancelAt: number | null;
}

/** The record of somebody without a subscription. */
export const noSubscription: SubscriptionRecord = {
  status: "none",
  tier: "free",
  subscriptionId: null,
  startedAt: null,
  cancelAt: null,
  renewsAt: null,
  price: null,
  failedAt: null,
  retryAt: null,
  endedAt: null,
};

/** A user's tier, the subscription that it follows from, and its payments. Times are epoch milliseconds. */
export interface ResolvedTier {
  tier: Tier;
  subscriptionStatus: string;
  subscriptionId: string | null;
  startedAt: number | null;
  cancelAt: number | null;
  showPaymentWarning: boolean;
  payment: PaymentDates;
}

/**
 * The tier that a subscription record gives (rule 3): active with tier premium is premium, past_due is
 * premium with a warning, anything else is free. A record that cannot be read is free with the status
 * "error".
 */
export function resolveTier(given: SubscriptionRecord | "unreadable" | null): ResolvedTier {
  const { status, tier, subscriptionId, startedAt, cancelAt, ...payment } =
    given === "unreadable" ? { ...noSubscription, status: "error" } : (given ?? noSubscription);
  const premium = status === "past_due" || (status === "active" && tier === "premium");
  return {
    tier: premium ? "premium" : "free",
    subscriptionStatus: status,
    subscriptionId,
    startedAt,
    cancelAt,
    showPaymentWarning: status === "past_due",
    payment,
  };
}

/** A subscription status as people read it. */
export function statusLabel(status: string): string {
  const labels = new Map([
    ["active", "Active"],
    ["past_due", "Payment Required"],
    ["canceled", "Canceled"],
  ]);
  return labels.get(status) ?? "Free";
}
