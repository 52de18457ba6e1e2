import { tierConfigs } from "~/members/tiers";
import { UpgradeLink } from "./upgrade-link";

const { free, premium } = tierConfigs;

/** A banner for free users with the gains of Premium. */
export function UpgradeBanner() {
  return (
    <aside className="card premium-row" aria-label="Premium">
      <p>
        {`With Premium you could rate after only ${premium.requiredSeconds} seconds instead of ${free.requiredSeconds}, and upload after only ${premium.ratingsToSubmit} songs instead of ${free.ratingsToSubmit}, for $${premium.monthlyPrice}/month.`}
      </p>
      <UpgradeLink className="button plain" />
    </aside>
  );
}
