import type { Range } from "~/results/statistics";

const ticks = Array.from({ length: 21 }, (_, n) => n * 5);

/** How many of a hundred listeners would like a song, with a notch for the average song (rule 29, results). */
export function RangeBar({ low, high, average }: Range & { average: number | null }) {
  const top = average === null ? 0 : 1.75;
  const label = `Between ${low} and ${high} of a hundred`;
  return (
    <svg
      className="range-bar"
      width="100%"
      height={`${top + 4}rem`}
      role="img"
      aria-label={average === null ? label : `${label}; usual here: ${average}`}
    >
      {ticks.map((tick) => {
        const isWithin = tick >= low && tick <= high;
        return (
          <line
            key={tick}
            className={isWithin ? "range-within" : undefined}
            x1={`${tick}%`}
            x2={`${tick}%`}
            y1={`${top + (isWithin ? 0.2 : 0.75)}rem`}
            y2={`${top + (isWithin ? 2.5 : 1.95)}rem`}
          />
        );
      })}
      <text x={`${low}%`} y={`${top + 3.9}rem`} textAnchor={anchor(low)}>
        {low}
      </text>
      <text x={`${high}%`} y={`${top + 3.9}rem`} textAnchor={anchor(high)}>
        {high}
      </text>
      {average === null ? null : (
        <>
          <line
            className="range-average"
            x1={`${average}%`}
            x2={`${average}%`}
            y1="1.1rem"
            y2="1.6rem"
          />
          <text
            className="range-average"
            x={`${average}%`}
            y="0.8rem"
            textAnchor={anchor(average, 20)}
          >
            usual here
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
