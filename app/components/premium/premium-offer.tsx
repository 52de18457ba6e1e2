import { premiumPrice } from "./price";
import { SubscribeForm } from "./subscribe-form";
import { TierComparison } from "./tier-comparison";

/** Premium compared with free, and the button that leads to the checkout; for the dialog and /subscribe. */
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
