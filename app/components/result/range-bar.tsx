import type { Range } from "~/results/range";

/**
 * The range of how many of a hundred listeners would like a song, as a bar with a mark for the average song
 * (rule 29). A sentence beside it gives the range in words.
 */
export function RangeBar({ low, high, average }: Range & { average: number | null }) {
  // The top of the bar in rem; the mark and its label are above it.
  const top = average === null ? 0 : 1.75;
  const label = `Between ${low} and ${high} of a hundred`;
  return (
    <svg
      className="range-bar"
      width="100%"
      height={`${top + 2.75}rem`}
      role="img"
      aria-label={average === null ? label : `${label}; the average song here: ${average}`}
    >
      <rect className="range-scale" y={`${top + 0.35}rem`} width="100%" height="0.3rem" rx="2" />
      <rect x={`${low}%`} y={`${top}rem`} width={`${high - low}%`} height="1rem" rx="8" />
      <text x={`${low}%`} y={`${top + 2.35}rem`} textAnchor={anchor(low)}>
        {low}
      </text>
      <text x={`${high}%`} y={`${top + 2.35}rem`} textAnchor={anchor(high)}>
        {high}
      </text>
      {average === null ? null : (
        <>
          <rect className="range-mark" x={`${average}%`} y="1.3rem" width="3" height="1.9rem" />
          <text
            className="range-mark"
            x={`${average}%`}
            y="0.9rem"
            textAnchor={anchor(average, 30)}
          >
            average song here
          </text>
        </>
      )}
    </svg>
  );
}

/** The anchor of a label: centred over its place, but within the ends of the bar. */
function anchor(percent: number, margin = 5): "start" | "middle" | "end" {
  if (percent < margin) return "start";
  return percent > 100 - margin ? "end" : "middle";
}
