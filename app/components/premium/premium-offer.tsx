import type { SubscriptionView } from "~/domain/tiers/subscription-view";
import { ManageSubscription } from "./manage-subscription";
import { premiumPrice } from "./price";
import { SubscribeForm } from "./subscribe-form";
import { SubscriptionLine } from "./subscription-state";
import { TierComparison } from "./tier-comparison";

/**
 * Premium compared with free, and the button that leads to the checkout; for whoever has a
 * subscription, its state and the button that mends it. For the dialog and /subscribe.
 */
export function PremiumOffer({
  subscription,
  next,
}: {
  subscription: SubscriptionView;
  /** The path that the checkout leads back to, or null. */
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
            You pay at Stripe. We never see your card. Fivefold Premium does not replace Spotify
            Premium, which you need to play songs.
          </p>
        </>
      )}
    </>
  );
}
