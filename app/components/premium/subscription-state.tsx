import type { SubscriptionView } from "~/members/subscription-view";
import { ManageSubscription } from "./manage-subscription";
import { UpgradeLink } from "./upgrade-link";

/**
 * The state of the viewer's subscription in a line, with the button to fix it; without a subscription, the
 * offer of Premium.
 */
export function SubscriptionState({ subscription }: { subscription: SubscriptionView }) {
  const { manage } = subscription;
  return (
    <div className="premium-row">
      <SubscriptionLine subscription={subscription} />
      {manage ? <ManageSubscription label={manage} /> : <UpgradeLink className="button plain" />}
    </div>
  );
}

/** The state of a subscription in a line, such as "Active", and its next change. */
export function SubscriptionLine({ subscription }: { subscription: SubscriptionView }) {
  const { label, line, tier } = subscription;
  return (
    <p>
      <span className={`badge ${tier}`}>{label}</span> <span>{line}</span>
    </p>
  );
}
