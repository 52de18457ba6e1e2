import type { Score } from "~/exchange/rating/scale";
import { opinionWords } from "~/results/opinions";
import { MarkShape, markRadius } from "./marks";

/** A stroke for each of five answers: four upright, and the fifth across them. */
const upright = [36, 102, 168, 234].map((x) => ({
  head: [x, 22],
  line: `M${x} 38V174`,
  bare: `M${x} 8V174`,
}));
const fifth = { head: [300, 22], line: "M10 167 285 30", bare: "M10 167 304 20" };
const strokes = [...upright, fifth];

/** "1 × Great Song, 3 not shown, 1 to come". */
export function marksWords(scores: Score[], hidden: number, awaited: number): string {
  return [
    opinionWords(scores),
    hidden > 0 ? `${hidden} not shown` : "",
    awaited > 0 ? `${awaited} to come` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * Five answers as a tally that carries their marks, from worst to best, which hides the order in which they came.
 * `hidden` answers are there and not shown; what is missing to five is still to come.
 */
export function FiveMarks({ scores, hidden = 0 }: { scores: Score[]; hidden?: number }) {
  const marks: (Score | null)[] = [
    ...Array<null>(hidden).fill(null),
    ...[...scores].sort((a, b) => a - b),
  ];
  return (
    <svg
      className="five-marks"
      viewBox="0 0 322 184"
      role="img"
      aria-label={marksWords(scores, hidden, 5 - marks.length)}
    >
      {strokes.map(({ head: [x, y], line: toHead, bare }, place) => {
        const mark = marks[place];
        const line = mark === null ? bare : toHead;
        const isFifth = place === 4;
        const at = `translate(${x} ${y})`;
        if (mark === undefined) {
          return (
            <g key={line} className="mark-awaited">
              <path d={line} />
              <circle r={markRadius} transform={at} />
            </g>
          );
        }
        return (
          <g key={line}>
            {isFifth ? <path className="slash-edge" d={line} /> : null}
            <path className={isFifth ? "slash" : "stroke"} d={line} />
            {mark === null ? null : (
              <g transform={at}>
                <MarkShape score={mark} />
              </g>
            )}
          </g>
        );
      })}
    </svg>
  );
}
