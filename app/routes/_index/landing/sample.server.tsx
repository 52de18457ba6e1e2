import { FiveMarks } from "~/components/five-marks";
import { Mark } from "~/components/marks";
import { ratingScale, type Score } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import { countLiked } from "~/results/opinions";
import { verdict } from "~/results/sentences";

const before: Score[] = [2, 3, 3, 4];

/** A tune of ours to hear and to rate, without scripts: the choice that is checked shows its answer (landing.css). */
export function Sample({ isSold }: { isSold: boolean }) {
  return (
    <section className="sample" aria-labelledby="sample">
      <div className="sample-song">
        <h2 id="sample">{`${tierConfigs.free.requiredSeconds} seconds of listening. Then one of these four.`}</h2>
        <p className="quiet">
          Try it with this tune, which is shorter. Four ratings are in, and yours is the fifth.
          Nothing of it is kept.
        </p>
        {/* biome-ignore lint/a11y/useMediaCaption: a tune has no captions. */}
        <audio controls preload="none" src="/sample.wav" aria-label="A tune of ours" />
      </div>
      <div className="sample-choices">
        <fieldset>
          <legend className="visually-hidden">Your rating</legend>
          <div className="choices">
            {ratingScale.map(({ score, label }) => (
              <label key={score}>
                <input type="radio" name="sample" value={score} autoComplete="off" />
                <Mark score={score} />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      <div className="answer" role="status">
        {ratingScale.map(({ score }) => {
          const scores = [...before, score];
          return (
            <div key={score} className={`answer-${score}`}>
              <p className="said">
                {verdict(countLiked(scores), scores.length)}
                <small>{`So its owner sees it${isSold ? " with Fivefold Premium" : ""}, and never who it was.`}</small>
              </p>
              <FiveMarks scores={scores} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** A ferry under the moon, drawn for this page: a real cover would need a licence. */
export function DrawnCover() {
  return (
    <svg className="drawn-cover" viewBox="0 0 64 64" aria-hidden="true">
      <path fill="#17324d" d="M0 0h64v64H0z" />
      <circle cx="46" cy="18" r="8" fill="#f2b134" />
      <path fill="#f4f3f0" d="M8 37h36l-5 8H14zM15 30h17v6H15z" />
      <path stroke="#f2b134" strokeWidth="4" d="M26 23v6" />
      <path stroke="#8fb0cf" strokeWidth="1.5" d="M4 50h24m5 0h27M10 55h18m7 0h9M22 60h30" />
    </svg>
  );
}
