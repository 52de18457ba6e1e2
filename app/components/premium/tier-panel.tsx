import type { SubscriptionView } from "~/domain/tiers/subscription-view";
import { tierConfigs } from "~/domain/tiers/tiers";
import { ManageSubscription } from "./manage-subscription";
import { SubscriptionState } from "./subscription-state";
import { UpgradeBanner } from "./upgrade-banner";

/**
 * Panel about the tier: what premium would change, or for premium users "Manage Subscription", which
 * stands at the top of the screen while a cancellation is scheduled. Whoever has a subscription that
 * gives no premium sees how to mend it.
 */
export function TierPanel({ subscription }: { subscription: SubscriptionView }) {
  const { tier, ending, manage } = subscription;
  if (!tierConfigs[tier].showUpgradePrompts) return ending ? null : <ManageSubscription />;
  return manage ? <SubscriptionState subscription={subscription} /> : <UpgradeBanner />;
}
