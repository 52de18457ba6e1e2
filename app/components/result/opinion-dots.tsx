import type { Score } from "~/exchange/rating/scale";
import { isLiked, opinionWords } from "~/results/opinions";

const perRow = 10;
const step = 24;

/** A dot's outline, from its leftmost point, and the cut-outs by score: empty, half full, full, a plus. */
const disc = "a10 10 0 1 0 20 0 10 10 0 1 0-20 0z";
const cuts: Record<Score, string> = {
  1: "m2.5 0a7.5 7.5 0 1 0 15 0 7.5 7.5 0 1 0-15 0z",
  2: "m2.5 0a7.5 7.5 0 0 1 15 0z",
  3: "",
  4: "m4.5-1.25h4.25v-4.25h2.5v4.25h4.25v2.5h-4.25v4.25h-2.5v-4.25h-4.25z",
};

/**
 * One dot for each rating (rule 5), from worst to best, which hides the order in which they came. Each label
 * has its own shape; colour only repeats which ratings mean "liked".
 */
export function OpinionDots({
  scores,
  decorative = false,
}: {
  scores: Score[];
  decorative?: boolean;
}) {
  if (scores.length === 0) return null;
  const sorted = [...scores].sort((a, b) => a - b);
  const columns = Math.min(sorted.length, perRow);
  const rows = Math.ceil(sorted.length / perRow);
  const path = (liked: boolean) =>
    sorted
      .map((score, at) => {
        if (isLiked(score) !== liked) return "";
        const x = (at % perRow) * step + 2;
        const y = (Math.floor(at / perRow) + 0.5) * step;
        return `M${x} ${y}${disc}${cuts[score]}`;
      })
      .join("");
  return (
    <svg
      className="dots"
      viewBox={`0 0 ${columns * step} ${rows * step}`}
      width={`${columns * 1.5}em`}
      role="img"
      aria-label={opinionWords(scores)}
      aria-hidden={decorative || undefined}
    >
      <path d={path(false)} />
      <path className="liked" d={path(true)} />
    </svg>
  );
}
