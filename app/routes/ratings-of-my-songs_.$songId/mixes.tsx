import { Tallies } from "~/components/result/result-block";
import { Cover, coverOf } from "~/components/song/cover";
import { ratingsPerSubmission } from "~/db/rules";
import { fullDate } from "~/platform/dates";
import { Sound } from "~/player/alone/sound";
import { countLiked } from "~/results/opinions";
import { inOneLine, verdictOf } from "~/results/sentences";
import type { SubmissionResult } from "~/results/song-result";

/** A song's submissions by their mixes, oldest first; of a track none. */
export function mixesOf(submissions: SubmissionResult[]): SubmissionResult[][] {
  const names = new Set(submissions.flatMap(({ mix }) => mix ?? []));
  return [...names].map((name) => submissions.filter(({ mix }) => mix === name));
}

export function fiveOf({ scores, sealed, received }: SubmissionResult) {
  return { scores, sealed, hidden: received - sealed - scores.length };
}

/** Two mixes side by side, and what were earlier ones below them. */
export function Mixes({ mixes }: { mixes: SubmissionResult[][] }) {
  const earlier = mixes.slice(0, -2);
  return (
    <>
      <MixList mixes={mixes.slice(-2)} />
      {earlier.length > 0 ? (
        <details>
          <summary>Earlier mixes</summary>
          <MixList mixes={earlier} />
        </details>
      ) : null}
    </>
  );
}

function MixList({ mixes }: { mixes: SubmissionResult[][] }) {
  return (
    <ol className="mixes">
      {mixes.map((submissions) => (
        <Mix key={submissions[0]?.mix} submissions={submissions} />
      ))}
    </ol>
  );
}

function Mix({ submissions }: { submissions: SubmissionResult[] }) {
  const [first] = submissions;
  const file = submissions[submissions.length - 1]?.mixed;
  if (!first?.mix || !file) return null;
  const sum = (of: (one: SubmissionResult) => number) =>
    submissions.reduce((all, one) => all + of(one), 0);
  const sealed = sum((one) => one.sealed);
  const received = sum((one) => one.received) - sealed;
  const owed = sum((one) => Math.max(0, ratingsPerSubmission - one.received));
  const liked = countLiked(submissions.flatMap(({ scores }) => scores));
  const path = `/recordings/${file.recordingId}`;
  return (
    <li>
      <Cover
        track={
          file.hasCover && file.isKept
            ? { artUrl: `${path}/cover`, smallerArt: {} }
            : coverOf(file.drawnFrom)
        }
        first="(width < 48rem) 45vw, 20rem"
      />
      <h3>
        <span>{`${first.mix}, `}</span>
        <time dateTime={new Date(first.submittedAt).toISOString()}>
          {fullDate(first.submittedAt)}
        </time>
      </h3>
      {file.isKept ? (
        <Sound src={`${path}/audio`} name={first.mix} seconds={file.seconds} />
      ) : (
        <p className="quiet">Its file is not kept any more.</p>
      )}
      <div>
        {submissions.map((one) => (
          <Tallies key={one.number} {...fiveOf(one)} />
        ))}
      </div>
      <p className="lead">{inOneLine(verdictOf(liked, { received, owed, sealed }))}</p>
    </li>
  );
}
