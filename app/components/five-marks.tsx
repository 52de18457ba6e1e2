import type { Score } from "~/exchange/rating/scale";
import { opinionWords } from "~/results/opinions";
import { MarkShape } from "./marks";

/** For each of five answers, with a mark at its head and without: four upright, and the fifth across them. */
export const strokes = [
  ...[36, 102, 168, 234].map((x) => ({
    head: `${x} 22`,
    line: `M${x} 38V174`,
    bare: `M${x} 8V174`,
  })),
  { head: "300 22", line: "M10 167 285 30", bare: "M10 167 304 20" },
];

/** "1 × Great Song, 3 not shown, 1 to come". */
export function marksWords(scores: Score[], hidden: number, awaited: number, sealed = 0): string {
  return [
    opinionWords(scores),
    hidden > 0 ? `${hidden} not shown` : "",
    sealed > 0 ? `${sealed} sealed` : "",
    awaited > 0 ? `${awaited} to come` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

export function SealedMark() {
  return <circle className="mark-sealed" r="16" />;
}

/** From worst to best, which hides the order in which they came; null for each that is not shown. */
export function inOrder(scores: Score[], hidden: number): (Score | null)[] {
  return [...Array<null>(hidden).fill(null), ...[...scores].sort((a, b) => a - b)];
}

/**
 * Five answers as a tally that carries their marks.
 * `hidden` answers are there and not shown, `sealed` ones open with the fifth; what is missing is still to come.
 */
export function FiveMarks({
  scores,
  hidden = 0,
  sealed = 0,
}: {
  scores: Score[];
  hidden?: number;
  sealed?: number;
}) {
  const marks = [...inOrder(scores, hidden), ...Array<"sealed">(sealed).fill("sealed")];
  return (
    <svg
      className="five-marks"
      viewBox="0 0 322 184"
      role="img"
      aria-label={marksWords(scores, hidden, 5 - marks.length, sealed)}
    >
      {strokes.map(({ head, line: toHead, bare }, place) => {
        const mark = marks[place];
        const line = mark === null ? bare : toHead;
        const at = `translate(${head})`;
        if (mark === undefined) {
          return (
            <g key={line} className="mark-awaited">
              <path d={line} />
              <circle r="16" transform={at} />
            </g>
          );
        }
        const isFifth = place === 4;
        return (
          <g key={line}>
            {isFifth ? <path className="slash-edge" d={line} /> : null}
            <path className={isFifth ? "slash" : "stroke"} d={line} />
            {mark ? (
              <g transform={at}>
                {mark === "sealed" ? <SealedMark /> : <MarkShape score={mark} />}
              </g>
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}
