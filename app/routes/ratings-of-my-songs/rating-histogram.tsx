import type { RatingLine } from "~/domain/rating/received";
import { ratingScale } from "~/domain/rating/scale";

/** A bar reaches full height at this many ratings, or at the highest count if that is more. */
const fullHeightCount = 3;

/**
 * The ratings that the owner may see, as a bar for each label, from worst to best. Screen
 * readers read the counts as words.
 */
export function RatingHistogram({ visible }: { visible: RatingLine[] }) {
  const counts = ratingScale.map(({ score, label }) => ({
    label,
    count: visible.filter((line) => line.score === score).length,
  }));
  const highest = Math.max(fullHeightCount, ...counts.map(({ count }) => count));
  const given = counts.filter(({ count }) => count > 0).toReversed();
  const words = given.map(({ label, count }) => `${count} × ${label}`).join(", ");
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${counts.length * 14 - 2} 28`}
      role="img"
      aria-label={words || "No ratings to see yet"}
    >
      {counts.map(({ label, count }, place) => {
        const height = count === 0 ? 2 : 2 + (24 * count) / highest;
        return (
          <rect
            key={label}
            className={count > 0 ? "histogram-bar" : undefined}
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
