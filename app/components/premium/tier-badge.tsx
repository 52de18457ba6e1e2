import { Crown } from "~/components/icons";
import { type Tier, tierConfigs } from "~/members/tiers";

/** The tier's name as a badge, with a crown for Premium. */
export function TierBadge({ tier }: { tier: Tier }) {
  return (
    <span className={`badge ${tier}`}>
      {tier === "premium" ? <Crown /> : null}
      <span>{tierConfigs[tier].name}</span>
    </span>
  );
}
