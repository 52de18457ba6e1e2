import type { subscriptions } from "~/db/schema";
import type { subscriptionColumns } from "~/db/subscription-columns";
import type { PremiumSale } from "~/platform/env";

/** Rule 2, tiers. */
export type Tier = "free" | "premium";

export interface TierConfig {
  tier: Tier;
  name: string;
  requiredSeconds: number;
  /** Per song; -1 is unlimited. */
  maxVisibleRatings: number;
  ratingsToSubmit: number;
  packageSize: number;
  showUpgradePrompts: boolean;
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

/** Where premium is not sold, nothing is hidden that only premium would show. */
export function tierConfigOf(tier: Tier, sale: PremiumSale): TierConfig {
  return sale === "none" ? { ...tierConfigs[tier], maxVisibleRatings: -1 } : tierConfigs[tier];
}

export type SubscriptionRecord = Pick<
  typeof subscriptions.$inferSelect,
  keyof typeof subscriptionColumns
>;

export type PaymentDates = Pick<
  SubscriptionRecord,
  "renewsAt" | "price" | "failedAt" | "retryAt" | "endedAt"
>;

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

export interface ResolvedTier
  extends Pick<SubscriptionRecord, "tier" | "subscriptionId" | "startedAt" | "cancelAt"> {
  subscriptionStatus: string;
  showPaymentWarning: boolean;
  payment: PaymentDates;
}

/** The statuses that give premium (rule 3, premium). */
export const premiumStatuses = ["active", "past_due"];

export function givesPremium({
  status,
  tier,
}: Pick<SubscriptionRecord, "status" | "tier">): boolean {
  return tier === "premium" && premiumStatuses.includes(status);
}

/**
 * Rule 3, premium: active with tier premium is premium, past_due is premium with a warning, anything else is free. A
 * record that cannot be read is free with the status "error".
 */
export function resolveTier(given: SubscriptionRecord | "unreadable" | null): ResolvedTier {
  const { status, tier, subscriptionId, startedAt, cancelAt, ...payment } =
    given === "unreadable" ? { ...noSubscription, status: "error" } : (given ?? noSubscription);
  return {
    tier: givesPremium({ status, tier }) ? "premium" : "free",
    subscriptionStatus: status,
    subscriptionId,
    startedAt,
    cancelAt,
    showPaymentWarning: status === "past_due",
    payment,
  };
}

export function statusLabel(status: string): string {
  const labels = new Map([
    ["active", "Active"],
    ["past_due", "Payment Required"],
    ["canceled", "Canceled"],
  ]);
  return labels.get(status) ?? "Free";
}
