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
