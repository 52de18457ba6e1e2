import { Mark } from "~/components/marks";
import type { Score } from "~/exchange/rating/scale";
import { countByLabel } from "~/results/opinions";

/** What the marks mean and, with `scores`, how many there are of each. Where ratings are hidden, none is said to be missing. */
export function MarkKey({ scores, hidden = 0 }: { scores?: Score[]; hidden?: number }) {
  const labels = countByLabel(scores ?? []).filter(
    ({ count }) => !scores || hidden === 0 || count > 0,
  );
  return (
    <ul className="mark-key">
      {labels.map(({ score, label, count }) => (
        <li key={score} className={scores && count === 0 ? "none" : undefined}>
          <Mark score={score} />
          <span>{label}</span>
          {scores ? <b>{count}</b> : null}
        </li>
      ))}
      {hidden > 0 ? (
        <li className="none">
          <svg className="mark" viewBox="-20 -20 40 40" aria-hidden="true">
            <path className="stroke" d="M0-16V16" />
          </svg>
          <span>not shown</span>
          {scores ? <b>{hidden}</b> : null}
        </li>
      ) : null}
    </ul>
  );
}
