import { Notice } from "~/components/notice";
import type { DailyFigures } from "~/operator/figures";
import type { Health } from "~/operator/health.server";
import type { Decisions } from "~/operator/overview.server";
import { DecisionLog, Locks, SongDecisions } from "./decisions";
import { Figures } from "./figures";
import { LookForm } from "./forms";
import { HealthFacts } from "./health";
import { People } from "./people";

/** The operator's page, which needs no script. */
export function OperatorPage({
  now,
  done,
  again,
  days,
  health,
  release,
  decisions,
  nobody,
  look,
  ownId,
}: {
  now: number;
  done: boolean;
  /** True if the operator has just logged in again because a form required it. */
  again: boolean;
  days: DailyFigures[];
  health: Health;
  release: { version: string; deployedAt: number | null };
  decisions: Decisions;
} & Parameters<typeof People>[0]) {
  const { open, takenOut, locks, lines } = decisions;
  return (
    <div className="operation">
      <h1>Operation</h1>
      <LookForm />
      {done ? <Notice tone="ok">Done.</Notice> : null}
      {again ? (
        <Notice tone="info">
          You are logged in again. Please enter it once more, and press the button.
        </Notice>
      ) : null}
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <HealthFacts health={health} release={release} />
      </section>
      <section aria-labelledby="reports">
        <h2 id="reports">Reported, or not playable</h2>
        {open.length > 0 ? null : <p>No song waits for a decision.</p>}
        {open.map((song) => (
          <SongDecisions key={song.songId} song={song} now={now} />
        ))}
      </section>
      {takenOut.length > 0 ? (
        <section aria-labelledby="out">
          <h2 id="out">Taken out</h2>
          {takenOut.map((song) => (
            <SongDecisions key={song.songId} song={song} now={now} />
          ))}
        </section>
      ) : null}
      <section aria-labelledby="locks">
        <h2 id="locks">Locked</h2>
        <Locks locks={locks} />
      </section>
      <section aria-labelledby="people">
        <h2 id="people">People</h2>
        <People nobody={nobody} look={look} ownId={ownId} />
      </section>
      <Figures days={days} />
      <section aria-labelledby="log">
        <h2 id="log">What was done</h2>
        <DecisionLog lines={lines} />
      </section>
    </div>
  );
}
