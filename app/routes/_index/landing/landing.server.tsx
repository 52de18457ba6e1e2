import { Tally } from "~/components/icons";
import { LoginButton } from "~/components/layout/login-button";
import { Notice } from "~/components/notice";
import { premiumPrice } from "~/components/premium/price";
import { TierComparison } from "~/components/premium/tier-comparison";
import { tierConfigs } from "~/members/tiers";
import { Examples } from "./examples.server";

const { free } = tierConfigs;

/** The landing page. Headline, text and login fit on the first screen of a phone. */
export function Landing({
  notice,
  next,
  facts,
}: {
  /** A note for a visitor whose login has failed or ended; null for others. */
  notice: string | null;
  /** The path to go to after the login. */
  next: string;
  /** Sentences with figures of the community, if there are enough of them. */
  facts: string[];
}) {
  return (
    <div className="landing">
      {notice ? <Notice tone="info">{notice}</Notice> : null}
      <section className="hero">
        <div className="pitch">
          <h1>Promote your music for free</h1>
          <p className="lead">
            Musicians rate each other's songs here. Add one of yours, and get 5 ratings from people
            who really listened. More in the <a href="/faq">FAQ</a>.
          </p>
          <LoginButton next={next} />
          {facts.length > 0 ? (
            <div className="facts">
              {facts.map((fact) => (
                <p key={fact}>{fact}</p>
              ))}
            </div>
          ) : null}
        </div>
        <Examples />
      </section>
      <ol className="steps">
        <li>
          <Tally count={1} />
          <h2>Listen</h2>
          <p>{`Play a song for ${free.requiredSeconds} seconds.`}</p>
        </li>
        <li>
          <Tally count={2} />
          <h2>Rate</h2>
          <p>Say what you think, anonymously.</p>
        </li>
        <li>
          <Tally count={3} />
          <h2>Add yours</h2>
          <p>{`After ${free.ratingsToSubmit} songs, add one of yours. Only you see its ratings.`}</p>
        </li>
      </ol>
      <section className="tiers">
        <div>
          <h2>Everything works for free</h2>
          <p>{`Premium takes less time and shows every rating, for ${premiumPrice}.`}</p>
        </div>
        <TierComparison />
      </section>
    </div>
  );
}
