import type { Score } from "~/exchange/rating/scale";

export const markRadius = 16;

/**
 * The mark of a label: a ring, a half, a full one, a full one with a plus. They differ by form; colour only repeats which
 * of them mean "liked".
 */
export function MarkShape({ score }: { score: Score }) {
  if (score <= 2) {
    return (
      <>
        <circle className="mark-ring" r={markRadius} />
        {score === 2 ? (
          <path
            className="mark-half"
            d={`M0-${markRadius}A${markRadius} ${markRadius} 0 0 0 0 ${markRadius}z`}
          />
        ) : null}
      </>
    );
  }
  return (
    <>
      <circle className="mark-full" r={markRadius} />
      {score === 4 ? <path className="mark-plus" d="M-8 0H8M0-8V8" /> : null}
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
