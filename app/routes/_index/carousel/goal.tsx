import { Link } from "@remix-run/react";
import type { RoundGoal } from "~/exchange/round/round";
import type { Eligibility } from "~/exchange/submission/eligibility";
import { UploadLink } from "~/routes/_index/empty-pool/empty-pool";

/**
 * 'PLAY and RATE' with the progress towards the next submission; once it is reached, the way there. `low` leaves the
 * screen to a song that has begun.
 */
export function Goal({
  eligibility: { eligible, remaining, credits },
  goal,
  round,
  isReached,
  low,
}: {
  eligibility: Eligibility;
  goal: string | null;
  /** In a round its own progress stands here. */
  round: RoundGoal | null;
  /** The way to a submission stands here. */
  isReached: boolean;
  low: boolean;
}) {
  if (round) {
    return (
      <header className="goal">
        <h1>
          <Link to={round.path}>
            <bdi>{round.name}</bdi>
          </Link>
          <span>{`: ${round.heard} of ${round.due} heard`}</span>
        </h1>
        <p>{round.until}</p>
        <GoalTally of={round.due} count={round.heard} />
      </header>
    );
  }
  const heading = <h1>PLAY and RATE</h1>;
  if (goal === null) return <header className="goal">{heading}</header>;
  const total = Math.max(1, credits + (eligible ? 0 : Math.max(1, remaining)));
  return (
    <header className={isReached ? `goal sunny${low ? " low" : ""}` : "goal"}>
      {heading}
      <p>{goal}</p>
      <GoalTally of={Math.min(total, mostStrokes)} count={eligible ? mostStrokes : credits} />
      {isReached ? <UploadLink /> : null}
    </header>
  );
}

/** Nobody pays more than the free tier's six; ratings that were not spent may be many. */
const mostStrokes = 6;

/** A stroke for each rating that a submission takes; those still to give are hairlines. */
function GoalTally({ count, of }: { count: number; of: number }) {
  return (
    <svg className="goal-tally" viewBox="-4 0 50 28" aria-hidden="true">
      {["M3 3V25", "M11 3V25", "M19 3V25", "M27 3V25", "M-2 21 33 7", "M43 3V25"]
        .slice(0, of)
        .map((path, place) => (
          <g key={path} className={place >= count ? "due" : undefined}>
            <path d={path} className={place === 4 && place < count ? "slash-edge" : undefined} />
            {place === 4 && place < count ? <path d={path} className="slash" /> : null}
          </g>
        ))}
    </svg>
  );
}
