import { FiveMarks } from "~/components/five-marks";
import { faqEntries } from "~/components/head/faq";
import { Tally } from "~/components/icons";
import { LoginButton } from "~/components/layout/login-button";
import { Notice } from "~/components/notice";
import { TierComparison } from "~/components/premium/tier-comparison";
import { tinted } from "~/components/song/tinted";
import type { Figure } from "~/exchange/community/community";
import type { Score } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import type { Offers } from "~/platform/env";
import { inWords } from "~/platform/text";
import { countLiked } from "~/results/opinions";
import { verdict } from "~/results/sentences";
import landingCss from "./landing.css";
import { DrawnCover, Sample } from "./sample.server";

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
        <Example isSold={isSold} />
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
      <Sample isSold={isSold} />
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

const received: Score[] = [1, 2, 3, 3, 4];
const shown = received.slice(-free.maxVisibleRatings);

/** What the owner of a song sees, by tier. */
function Example({ isSold }: { isSold: boolean }) {
  const { length } = received;
  return (
    <figure aria-labelledby="example" className={`example ${tinted({ tint: 33 })}`}>
      <figcaption className="quiet" id="example">
        An example of what you see
      </figcaption>
      <div className="song-line">
        <DrawnCover />
        <h2>
          <span>Last Ferry Home</span>
          <span className="artist">The Paper Harbour</span>
        </h2>
      </div>
      {isSold ? (
        <div className="as-free">
          <p className="said">
            {`All ${lower(length)} are in.`}
            <small>{`${inWords(shown.length)} are shown here: the newest.`}</small>
          </p>
          <FiveMarks scores={shown} hidden={length - shown.length} />
        </div>
      ) : null}
      <div className={isSold ? "as-premium" : undefined}>
        <p className="said">
          {verdict(countLiked(received), length)}
          <small>Liked: Melody (3). Could be better: Vocals (3).</small>
        </p>
        <FiveMarks scores={received} />
      </div>
      {isSold ? <TierSwitch /> : null}
    </figure>
  );
}

function TierSwitch() {
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">As you see it with</legend>
      <label>
        <input type="radio" name="seen" value="free" autoComplete="off" defaultChecked />
        <span>Free</span>
      </label>
      <label>
        <input type="radio" name="seen" value="premium" autoComplete="off" />
        <span>Fivefold Premium</span>
      </label>
    </fieldset>
  );
}
