import type { Score } from "~/domain/rating/scale";
import { countByLabel } from "~/domain/result/opinions";
import { OpinionDots } from "./opinion-dots";

/** What each kind of dot means, and how many there are. */
export function OpinionKey({ scores }: { scores: Score[] }) {
  return (
    <ul className="opinion-key">
      {countByLabel(scores).map(({ score, label, count }) => (
        <li key={score}>
          <OpinionDots scores={[score]} decorative />
          {label} <b>{count}</b>
        </li>
      ))}
    </ul>
  );
}
