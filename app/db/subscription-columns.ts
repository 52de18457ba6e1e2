import { subscriptions } from "./schema";

/** The columns of a SubscriptionRecord (app/members/tiers.ts). */
export const subscriptionColumns = {
  status: subscriptions.status,
  tier: subscriptions.tier,
  subscriptionId: subscriptions.subscriptionId,
  startedAt: subscriptions.startedAt,
  cancelAt: subscriptions.cancelAt,
  renewsAt: subscriptions.renewsAt,
  price: subscriptions.price,
  failedAt: subscriptions.failedAt,
  retryAt: subscriptions.retryAt,
  endedAt: subscriptions.endedAt,
};
