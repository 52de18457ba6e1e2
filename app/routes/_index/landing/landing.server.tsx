import type { ReactNode } from "react";
import { Tally } from "~/components/icons";
import { LoginButton } from "~/components/layout/login-button";
import { Notice } from "~/components/notice";
import { premiumPrice } from "~/components/premium/price";
import { TierComparison } from "~/components/premium/tier-comparison";
import { OpinionDots } from "~/components/result/opinion-dots";
import { ratingScale, type Score } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import type { Open } from "~/platform/env";
import { countLiked, opinionWords } from "~/results/opinions";
import { verdict } from "~/results/sentences";

const { free } = tierConfigs;

export function Landing({
  notice,
  next,
  facts,
  open,
}: {
  notice: string | null;
  next: string;
  facts: string[];
  open: Open;
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
          <LoginButton open={open} next={next} />
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

// Takes the example out of reach of clicks and the focus. React 18 renders the attribute but has no type for
// it.
const inert = { inert: "" };

const chosen: Score = 3;
const received: Score[] = [1, 2, 3, 3, 4];

function Examples() {
  return (
    <div className="examples">
      <Example caption="A song that you rate">
        <div className="song" {...inert}>
          <DrawnCover />
          <h2>{"The Paper Harbour\u00a0- Last Ferry Home"}</h2>
          <button className="button plain" type="button">
            PLAY SONG
          </button>
          <div className="rating">
            <fieldset>
              <legend>Your rating</legend>
              {ratingScale.map(({ score, label }) => (
                <label key={score}>
                  <input type="radio" name="example" defaultChecked={score === chosen} />
                  {label}
                </label>
              ))}
            </fieldset>
          </div>
        </div>
      </Example>
      <Example caption="What five listeners say about yours">
        <p className="verdict">
          {verdict(countLiked(received), received.length)}
          <Tally count={received.length} />
        </p>
        <span aria-hidden="true">
          <OpinionDots scores={received} />
        </span>
        <p className="quiet">{opinionWords(received).replaceAll(" × ", "\u00a0×\u00a0")}</p>
      </Example>
    </div>
  );
}

function Example({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <figure className="card">
      <figcaption className="quiet">
        <span className="badge">An example</span> {caption}
      </figcaption>
      {children}
    </figure>
  );
}

/** A ferry under the moon, drawn for this page: a real cover would need a licence. */
function DrawnCover() {
  return (
    <svg className="cover" viewBox="0 0 64 64" aria-hidden="true">
      <path fill="#17324d" d="M0 0h64v64H0z" />
      <circle cx="46" cy="18" r="8" fill="#f2b134" />
      <path fill="#f4f3f0" d="M8 37h36l-5 8H14zM15 30h17v6H15z" />
      <path stroke="#f2b134" strokeWidth="4" d="M26 23v6" />
      <path stroke="#8fb0cf" strokeWidth="1.5" d="M4 50h24m5 0h27M10 55h18m7 0h9M22 60h30" />
    </svg>
  );
}
