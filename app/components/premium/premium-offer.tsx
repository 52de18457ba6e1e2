import { premiumPrice } from "./price";
import { SubscribeForm } from "./subscribe-form";
import { TierComparison } from "./tier-comparison";

/** What premium is, beside free, and the way to the checkout. In the dialog and on its page. */
export function PremiumOffer() {
  return (
    <>
      <p className="lead">{`${premiumPrice}. You can cancel at any time.`}</p>
      <TierComparison />
      <SubscribeForm />
      <p className="quiet">You pay at Stripe. We never see your card.</p>
    </>
  );
}
