import type { Range } from "~/results/statistics";

/** How many of a hundred listeners would like a song, with a mark for the average song (rule 29). */
export function RangeBar({ low, high, average }: Range & { average: number | null }) {
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

function anchor(percent: number, margin = 5): "start" | "middle" | "end" {
  if (percent < margin) return "start";
  return percent > 100 - margin ? "end" : "middle";
}
