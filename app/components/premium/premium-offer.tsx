import type { SubscriptionView } from "~/members/subscription-view";
import { ManageSubscription } from "./manage-subscription";
import { premiumPrice } from "./price";
import { SubscribeForm } from "./subscribe-form";
import { SubscriptionLine } from "./subscription-state";
import { TierComparison } from "./tier-comparison";

/**
 * Premium compared with free, and the button to the checkout; for subscribers, the state of their
 * subscription and the button to fix it. Shown in the dialog and on /subscribe.
 */
export function PremiumOffer({
  subscription,
  next,
}: {
  subscription: SubscriptionView;
  /** The path to return to after the checkout; null for none. */
  next: string | null;
}) {
  const { manage } = subscription;
  return (
    <>
      <SubscriptionLine subscription={subscription} />
      {manage ? (
        <ManageSubscription label={manage} />
      ) : (
        <>
          <p className="lead">{`${premiumPrice}. You can cancel at any time.`}</p>
          <TierComparison />
          <SubscribeForm next={next} />
          <p className="quiet">
            You pay at Stripe, and we never see your card. You still need Spotify Premium to play
            songs.
          </p>
        </>
      )}
    </>
  );
}
