import type { SubscriptionView } from "~/members/subscription-view";
import { tierConfigs } from "~/members/tiers";
import { ManageSubscription } from "./manage-subscription";
import { UpgradeLink } from "./upgrade-link";

const { free, premium } = tierConfigs;

/**
 * For Premium users "Manage Subscription", which moves to the top of the screen while a cancellation is
 * scheduled; for others the gains of Premium, or how to fix their subscription.
 */
export function TierPanel({ subscription }: { subscription: SubscriptionView }) {
  const { tier, ending, manage } = subscription;
  if (!tierConfigs[tier].showUpgradePrompts) return ending ? null : <ManageSubscription />;
  return manage ? <SubscriptionState subscription={subscription} /> : <UpgradeBanner />;
}

export function SubscriptionState({ subscription }: { subscription: SubscriptionView }) {
  const { manage } = subscription;
  return (
    <div className="premium-row">
      <SubscriptionLine subscription={subscription} />
      {manage ? <ManageSubscription label={manage} /> : <UpgradeLink className="button plain" />}
    </div>
  );
}

export function SubscriptionLine({ subscription }: { subscription: SubscriptionView }) {
  const { label, line, tier } = subscription;
  return (
    <p>
      <span className={`badge ${tier}`}>{label}</span> <span>{line}</span>
    </p>
  );
}

function UpgradeBanner() {
  return (
    <aside className="card premium-row" aria-label="Premium">
      <p>
        {`With Premium you could rate after only ${premium.requiredSeconds} seconds instead of ${free.requiredSeconds}, and upload after only ${premium.ratingsToSubmit} songs instead of ${free.ratingsToSubmit}, for $${premium.monthlyPrice}/month.`}
      </p>
      <UpgradeLink className="button plain" />
    </aside>
  );
}
