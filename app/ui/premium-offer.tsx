import { tierConfigs } from "~/domain/tiers/tiers";
import { counted } from "~/ui/plural";
import { premiumPrice } from "~/ui/price";
import { SubscribeForm } from "~/ui/subscribe-form";

const { free, premium } = tierConfigs;
const tiers = [free, premium];

/** What premium is, beside free, and the way to the checkout. In the dialog and on its page. */
export function PremiumOffer() {
  return (
    <>
      <p>{`${premiumPrice}. You can cancel at any time.`}</p>
      <table className="comparison">
        <thead>
          <tr>
            <td />
            {tiers.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row
            name="Listening before you rate"
            cell={(tier) => counted(tier.listeningTimeRequired, "second")}
          />
          <Row
            name="Songs to rate before you add one"
            cell={(tier) => String(tier.songsToRateBeforeUpload)}
          />
          <Row
            name="Ratings you see of each song"
            cell={({ maxVisibleRatings: most }) => (most < 0 ? "All" : `The ${most} latest`)}
          />
        </tbody>
      </table>
      <SubscribeForm />
      <p className="quiet">You pay at Stripe. We never see your card.</p>
    </>
  );
}

function Row({ name, cell }: { name: string; cell: (tier: (typeof tiers)[number]) => string }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {tiers.map((tier) => (
        <td key={tier.name}>{cell(tier)}</td>
      ))}
    </tr>
  );
}
