import { Crown } from "~/components/icons";
import { type Tier, tierConfigs } from "~/domain/tiers/tiers";

/** The name of the tier as a badge; premium has a crown. */
export function TierBadge({ tier }: { tier: Tier }) {
  return (
    <span className={`badge ${tier}`}>
      {tier === "premium" ? <Crown /> : null}
      {tierConfigs[tier].name}
    </span>
  );
}
