import type { Score } from "~/domain/rating/scale";
import { countByLabel } from "~/domain/result/opinions";
import { OpinionDots } from "./opinion-dots";

/** Key of the dots; of given ratings with the number of each kind. */
export function OpinionKey({ scores }: { scores?: Score[] }) {
  return (
    <ul className="opinion-key">
      {countByLabel(scores ?? []).map(({ score, label, count }) => (
        <li key={score}>
          <OpinionDots scores={[score]} decorative />
          {label} {scores ? <b>{count}</b> : null}
        </li>
      ))}
    </ul>
  );
}
