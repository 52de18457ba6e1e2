import type { ReactNode } from "react";
import { Tally } from "~/components/icons";
import { OpinionDots } from "~/components/result/opinion-dots";
import { ratingScale, type Score } from "~/exchange/rating/scale";
import { countLiked, opinionWords } from "~/results/opinions";
import { verdict } from "~/results/sentences";

// Takes the example out of reach of clicks and the focus. React 18 renders the attribute but has no type for
// it.
const inert = { inert: "" };

const chosen: Score = 3;
const received: Score[] = [1, 2, 3, 3, 4];

/** A song and a result as members see them, of invented songs. */
export function Examples() {
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
