import type { Score } from "~/exchange/rating/scale";
import { countByLabel } from "~/results/opinions";
import { OpinionDots } from "./opinion-dots";

/** The key of the dots, with the number of each kind if scores are given. */
export function OpinionKey({ scores }: { scores?: Score[] }) {
  return (
    <ul className="opinion-key">
      {countByLabel(scores ?? []).map(({ score, label, count }) => (
        <li key={score}>
          <OpinionDots scores={[score]} decorative />
          <span>{`${label} `}</span>
          {scores ? <b>{count}</b> : null}
        </li>
      ))}
    </ul>
  );
}
