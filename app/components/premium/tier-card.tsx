import { useContext } from "react";
import { FiveMarks } from "~/components/five-marks";
import { tinted } from "~/components/song/tinted";
import type { Score } from "~/exchange/rating/scale";
import { tierConfigs } from "~/members/tiers";
import { inWords } from "~/platform/text";
import { countLiked } from "~/results/opinions";
import { verdict } from "~/results/sentences";
import { PremiumContext } from "./premium-context";

const { free } = tierConfigs;

const received: Score[] = [1, 2, 3, 3, 4];
const shown = received.slice(-free.maxVisibleRatings);

/** What the owner of a song sees: all of it, or where it turns as each tier shows it. */
export function TierCard({ turns }: { turns: boolean }) {
  const { length } = received;
  const isSold = useContext(PremiumContext) !== "none";
  return (
    <figure aria-labelledby="example" className={`example ${tinted({ tint: 33 })}`}>
      <figcaption className="quiet" id="example">
        {`An example of what you see${isSold && !turns ? " with Fivefold Premium" : ""}`}
      </figcaption>
      <div className="song-line">
        <DrawnCover />
        <h2>
          <span>Last Ferry Home</span>
          <span className="artist">The Paper Harbour</span>
        </h2>
      </div>
      {turns ? (
        <div className="as-free">
          <p className="said">
            <span>{`All ${inWords(length).toLowerCase()} are in.`}</span>
            <small>{`${inWords(shown.length)} are shown here: the newest.`}</small>
          </p>
          <FiveMarks scores={shown} hidden={length - shown.length} />
        </div>
      ) : null}
      <div className={turns ? "as-premium" : undefined}>
        <p className="said">
          <span>{verdict(countLiked(received), length)}</span>
          <small>Liked: Melody (3). Could be better: Vocals (3).</small>
        </p>
        <FiveMarks scores={received} />
      </div>
      {turns ? <TierSwitch /> : null}
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

/** A ferry under the moon, drawn for this page: a real cover would need a licence. */
function DrawnCover() {
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
