import { tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";
import { TierBadge } from "./tier-badge";

const tiers = [tierConfigs.free, tierConfigs.premium];

export function TierComparison() {
  return (
    <table className="comparison">
      <thead>
        <tr>
          <td />
          {tiers.map(({ tier }) => (
            <th scope="col" key={tier}>
              <TierBadge tier={tier} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Row name="Listen to a song" cell={(tier) => counted(tier.requiredSeconds, "second")} />
        <Row name="Rate to add a song" cell={(tier) => counted(tier.ratingsToSubmit, "song")} />
        <Row
          name="Ratings you see"
          cell={({ maxVisibleRatings: max }) => (max < 0 ? "All" : `Latest ${max}`)}
        />
      </tbody>
    </table>
  );
}

function Row({ name, cell }: { name: string; cell: (tier: (typeof tiers)[number]) => string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {tiers.map((tier) => (
        <td key={tier.tier}>{cell(tier)}</td>
      ))}
    </tr>
  );
}
