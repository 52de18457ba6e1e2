import type { RatingLine } from "~/domain/rating/received";
import { ratingScale } from "~/domain/rating/scale";

/** A bar of full height stands for so many ratings, or for more where there are more. */
const fullHeight = 3;

/**
 * How a song's ratings spread, as far as the owner sees them: a bar for each of the four labels,
 * worst to best. Read aloud as words.
 */
export function RatingSpread({ visible }: { visible: RatingLine[] }) {
  const counts = ratingScale.map(({ score, label }) => ({
    label,
    count: visible.filter((line) => line.score === score).length,
  }));
  const most = Math.max(fullHeight, ...counts.map(({ count }) => count));
  const told = counts.filter(({ count }) => count > 0).toReversed();
  const words = told.map(({ label, count }) => `${count} × ${label}`).join(", ");
  return (
    <svg
      className="spread"
      viewBox="0 0 54 28"
      role="img"
      aria-label={words || "No ratings to see yet"}
    >
      {counts.map(({ label, count }, place) => {
        const height = count === 0 ? 2 : 2 + (24 * count) / most;
        return (
          <rect
            key={label}
            className={count > 0 ? "spread-bar" : undefined}
            x={place * 14}
            y={28 - height}
            width={12}
            height={height}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
