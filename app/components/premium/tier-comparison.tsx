import { useContext } from "react";
import { tierConfigs } from "~/members/tiers";
import { counted } from "~/platform/text";
import { PremiumContext } from "./premium-context";
import { premiumPrice } from "./price";

const { free, premium } = tierConfigs;
const tiers = [free, premium];

/** What each tier takes and shows. Reasons and playlists are told only to who sees all ratings (rules 20 and 21). */
export function TierComparison() {
  const sale = useContext(PremiumContext);
  return (
    <table className="comparison">
      <thead>
        <tr>
          <td />
          <th scope="col">{free.name}</th>
          <th scope="col">Fivefold Premium</th>
        </tr>
      </thead>
      <tbody>
        <Row name="Listen to a song" cell={(tier) => counted(tier.requiredSeconds, "second")} />
        <Row name="Rate before you submit" cell={(tier) => counted(tier.ratingsToSubmit, "song")} />
        <Row
          name="Ratings you see of each song"
          cell={({ maxVisibleRatings: max }) => (max < 0 ? "All" : `Newest ${max}, and the count`)}
        />
        <Row name="What they liked, what could be better" cell={fromThree} />
        <Row name="How many really put it into a playlist" cell={fromThree} />
        <Row
          name="Price"
          cell={({ monthlyPrice }) => (monthlyPrice ? premiumPrice(sale) : "USD 0")}
        />
      </tbody>
    </table>
  );
}

function fromThree({ maxVisibleRatings }: (typeof tiers)[number]): string {
  return maxVisibleRatings < 0 ? "From three on" : "No";
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
