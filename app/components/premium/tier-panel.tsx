import type { ViewerView } from "~/domain/session/views";
import { isManageable } from "~/domain/subscription/record";
import { tierConfigs } from "~/domain/tiers/tiers";
import { ManageSubscription } from "./manage-subscription";
import { SubscriptionModal } from "./subscription-modal";
import { UpgradeBanner } from "./upgrade-banner";

/** What premium would change, or for premium users "Manage Subscription" (spec section 2). */
export function TierPanel({ tier }: { tier: ViewerView["subscription"] }) {
  const { showUpgradePrompts } = tierConfigs[tier.tier];
  if (!showUpgradePrompts || isManageable(tier.subscriptionStatus)) {
    return <ManageSubscription tier={tier} />;
  }
  return (
    <>
      <UpgradeBanner />
      <SubscriptionModal />
    </>
  );
}
