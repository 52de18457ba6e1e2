import { marks } from "~/exchange/rating/mark";
import type { Score } from "~/exchange/rating/scale";

export function MarkShape({ score }: { score: Score }) {
  const { circle, form, path } = marks[score];
  return (
    <>
      <circle className={`mark-${circle}`} r="16" />
      {form ? <path className={`mark-${form}`} d={path} /> : null}
    </>
  );
}

export function Mark({ score }: { score: Score }) {
  return (
    <svg className="mark" viewBox="-20 -20 40 40" aria-hidden="true">
      <MarkShape score={score} />
    </svg>
  );
}
