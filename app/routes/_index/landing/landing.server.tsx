import { faqEntries } from "~/components/head/faq";
import { Tally } from "~/components/icons";
import { LoginButton } from "~/components/layout/login-button";
import { Notice } from "~/components/notice";
import { TierCard } from "~/components/premium/tier-card";
import { TierComparison } from "~/components/premium/tier-comparison";
import type { Figure } from "~/exchange/community/community";
import { tierConfigs } from "~/members/tiers";
import type { Offers } from "~/platform/env";
import { inWords } from "~/platform/text";
import landingCss from "./landing.css";

const { free } = tierConfigs;

const lower = (n: number) => inWords(n).toLowerCase();

/** With the choice after it, a song takes some twelve seconds more than its listen. */
const minutes = Math.ceil((free.ratingsToSubmit * (free.requiredSeconds + 12)) / 60);

export function Landing({
  notice,
  next,
  figures,
  offers,
}: {
  notice: string | null;
  next: string;
  figures: Figure[];
  offers: Offers;
}) {
  const isSold = offers.premium !== "none";
  return (
    <>
      {/* In the page, because a route's links are those of all its screens. */}
      <link rel="stylesheet" href={landingCss} />
      <section className="hero">
        {notice ? <Notice tone="info">{notice}</Notice> : null}
        <div className="pitch">
          <h1>
            <span className="promise">
              Promote your music for free<span className="visually-hidden">: </span>
            </span>
            Play your song to five strangers.
          </h1>
          <p className="lead">
            {`They are musicians, too. Each listens for ${free.requiredSeconds} seconds and says what they think. You do the same for ${lower(free.ratingsToSubmit)} songs first, in about ${lower(minutes)} minutes. ${offers.uploads ? "Your song need not be out yet. " : ""}More in the `}
            <a href="/faq">FAQ</a>.
          </p>
          <LoginButton offers={offers} next={next} />
          <p className="quiet">
            Or ask five people you know: <a href="/rounds">open a round</a>.
          </p>
        </div>
        <TierCard turns={false} />
      </section>
      {figures.length > 0 ? (
        <ul className="figures">
          {figures.map(({ amount, words, isWait = false }) => (
            <li key={words} className={isWait ? "wait" : undefined}>
              <Tally count={5} />
              <strong>{amount}</strong>
              {` ${words}`}
            </li>
          ))}
        </ul>
      ) : null}
      {figures.length > 0 ? (
        <p className="quiet">
          <a href="/numbers">All numbers, and how they are counted</a>
        </p>
      ) : null}
      <div className="costs-and-questions dare">
        <h2>Try to cheat.</h2>
        <section>
          <p className="lead">
            Rate our own tune before its 20 seconds are over, or ask for its end at once.
          </p>
          <a className="button plain" href="/try">
            Try it
          </a>
        </section>
      </div>
      <div className="costs-and-questions">
        {isSold ? (
          <section>
            <h2>What it costs</h2>
            <TierComparison />
            {offers.spotify ? (
              <p className="quiet">
                Fivefold Premium is ours. Spotify Premium is Spotify's, and plays Spotify's songs
                here. Own recordings play without it.
              </p>
            ) : null}
          </section>
        ) : null}
        <section>
          <h2>What musicians ask</h2>
          {faqEntries(offers).map(({ question, answer }) => (
            <details className="panel" key={question}>
              <summary>
                <h3>{question}</h3>
              </summary>
              <p>{answer}</p>
            </details>
          ))}
        </section>
      </div>
    </>
  );
}
