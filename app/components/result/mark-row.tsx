import { marksWords, SealedMark } from "~/components/five-marks";
import { MarkShape } from "~/components/marks";
import type { Score } from "~/exchange/rating/scale";

const perRow = 10;
const step = 48;

/** The answers side by side, for a row of a list: strokes for what is not shown, discs for what is sealed, dotted rings for what is to come. */
export function MarkRow({
  scores,
  hidden,
  sealed,
  awaited,
}: {
  scores: Score[];
  hidden: number;
  sealed: number;
  awaited: number;
}) {
  const slots: (Score | "hidden" | "sealed" | "awaited")[] = [
    ...Array<"hidden">(Math.min(hidden, perRow)).fill("hidden"),
    ...[...scores].sort((a, b) => a - b),
    ...Array<"sealed">(sealed).fill("sealed"),
    ...Array<"awaited">(Math.min(awaited, perRow)).fill("awaited"),
  ];
  const columns = Math.min(slots.length, perRow);
  return (
    <svg
      className="mark-row"
      viewBox={`-4 -4 ${columns * step} ${Math.ceil(slots.length / perRow) * step}`}
      width={`${columns * 1.6}em`}
      role="img"
      aria-label={marksWords(scores, hidden, awaited, sealed)}
    >
      {slots.map((slot, place) => {
        const x = (place % perRow) * step + 20;
        const y = Math.floor(place / perRow) * step + 20;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: marks have no id, and keep their order
          <g key={place} transform={`translate(${x} ${y})`}>
            {slot === "hidden" ? (
              <path className="stroke" d="M0-16V16" />
            ) : slot === "awaited" ? (
              <g className="mark-awaited">
                <circle r="16" />
              </g>
            ) : slot === "sealed" ? (
              <SealedMark />
            ) : (
              <MarkShape score={slot} />
            )}
          </g>
        );
      })}
    </svg>
  );
}
