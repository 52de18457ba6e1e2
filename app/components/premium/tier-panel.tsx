import type { SubscriptionView } from "~/members/subscription-view";
import { tierConfigs } from "~/members/tiers";
import { ManageSubscription } from "./manage-subscription";
import { SubscriptionState } from "./subscription-state";
import { UpgradeBanner } from "./upgrade-banner";

/**
 * The panel about the tier: the gains of Premium, or for Premium users "Manage Subscription", which moves to
 * the top of the screen while a cancellation is scheduled. For a subscription without Premium it shows how to
 * fix it.
 */
export function TierPanel({ subscription }: { subscription: SubscriptionView }) {
  const { tier, ending, manage } = subscription;
  if (!tierConfigs[tier].showUpgradePrompts) return ending ? null : <ManageSubscription />;
  return manage ? <SubscriptionState subscription={subscription} /> : <UpgradeBanner />;
}
