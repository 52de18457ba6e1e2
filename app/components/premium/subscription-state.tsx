import { useContext } from "react";
import type { SubscriptionView } from "~/members/subscription-view";
import { tierConfigs } from "~/members/tiers";
import type { ViewerView } from "~/members/views";
import { ManageSubscription } from "./manage-subscription";
import { PremiumContext } from "./premium-context";
import { UpgradeLink } from "./upgrade-link";

const { free, premium } = tierConfigs;

/**
 * For Premium users "Manage Subscription", which moves to the top of the screen while a cancellation is
 * scheduled; for others the gains of Premium, or how to fix their subscription. `helps`: there is something
 * to gain.
 */
export function TierPanel({ viewer, helps }: { viewer: ViewerView; helps: boolean }) {
  const { tier, ending, manage } = viewer.subscription;
  const isSold = useContext(PremiumContext) !== "none";
  if (!tierConfigs[tier].showUpgradePrompts) return ending ? null : <ManageSubscription />;
  if (manage) return <SubscriptionState viewer={viewer} />;
  return helps && isSold ? <UpgradeBanner /> : null;
}

/**
 * Offers Premium only to who hears Spotify's songs: others are offered it where they can see what they gain. Where a
 * payment is due, the top of the page has the button.
 */
export function SubscriptionState({
  viewer: { subscription, hearsSpotify },
}: {
  viewer: ViewerView;
}) {
  const { manage, showPaymentWarning } = subscription;
  if (useContext(PremiumContext) === "none") return null;
  return (
    <div className="premium-row">
      <SubscriptionLine subscription={subscription} />
      {showPaymentWarning ? null : manage ? (
        <ManageSubscription label={manage} />
      ) : hearsSpotify ? (
        <UpgradeLink className="button plain" />
      ) : null}
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
  const vat = useContext(PremiumContext) === "with VAT" ? ", VAT included" : "";
  return (
    <aside className="premium-row" aria-label="Fivefold Premium">
      <p className="quiet">
        {`With Fivefold Premium you could rate after only ${premium.requiredSeconds} seconds instead of ${free.requiredSeconds}, and upload after only ${premium.ratingsToSubmit} songs instead of ${free.ratingsToSubmit}, for $${premium.monthlyPrice}/month${vat}. You would see all ratings of your songs, with their reasons.`}
      </p>
      <UpgradeLink className="button plain small" />
    </aside>
  );
}
