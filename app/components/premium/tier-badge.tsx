import { useContext } from "react";
import { Icon } from "~/components/icons";
import { type Tier, tierConfigs } from "~/members/tiers";
import { PremiumContext } from "./premium-context";

const crown = "M3 19h18l1.5-12-6 4L12 4l-4.5 7-6-4z";

export function TierBadge({ tier }: { tier: Tier }) {
  if (useContext(PremiumContext) === "none") return null;
  return (
    <small>
      {tier === "premium" ? <Icon path={crown} /> : null}
      <span>{tierConfigs[tier].name}</span>
    </small>
  );
}
