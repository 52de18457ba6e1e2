import { Notice } from "~/components/notice";
import type { DailyFigures } from "~/operator/figures";
import type { Health } from "~/operator/health.server";
import type { Decisions } from "~/operator/overview.server";
import type { Said } from "~/operator/said";
import { DecisionLog, Locks, NoticeDecisions, SongDecisions } from "./decisions";
import { Figures } from "./figures";
import { LookForm } from "./forms";
import { HealthFacts, Troubles } from "./health";
import { People } from "./people";
import { Waiting } from "./waiting";

/** The operator's page, which needs no script. */
export function OperatorPage({
  now,
  said,
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
  said: Said | null;
  /** True if the operator has just logged in again because a form required it. */
  again: boolean;
  days: DailyFigures[];
  health: Health;
  release: { version: string; deployedAt: number | null };
  decisions: Decisions;
} & Parameters<typeof People>[0]) {
  const { open, takenOut, locks, lines } = decisions;
  const songs = [...open.flatMap(({ song }) => song ?? []), ...takenOut];
  const isShown = songs.some(({ songId }) => songId === said?.target);
  return (
    <div className="operation">
      <h1>Operation</h1>
      <LookForm />
      {said && !isShown ? <Notice tone="ok">{said.text}</Notice> : null}
      {again ? (
        <Notice tone="info">
          You are logged in again. Enter it once more, and press the button.
        </Notice>
      ) : null}
      <Waiting open={open} health={health} />
      <section aria-labelledby="reports">
        <h2 id="reports">To decide about</h2>
        {open.length > 0 ? null : <p>Nothing waits for a decision.</p>}
        {open.map(({ song, notice }) =>
          song ? (
            <SongDecisions key={song.songId} song={song} now={now} said={said} />
          ) : (
            <NoticeDecisions key={notice.id} notice={notice} />
          ),
        )}
      </section>
      <section aria-labelledby="troubles">
        <h2 id="troubles">Needs attention</h2>
        <Troubles health={health} />
      </section>
      <section aria-labelledby="people">
        <h2 id="people">People</h2>
        <People nobody={nobody} look={look} ownId={ownId} />
      </section>
      {takenOut.length > 0 ? (
        <section aria-labelledby="out">
          <h2 id="out">Taken out</h2>
          {takenOut.map((song) => (
            <SongDecisions key={song.songId} song={song} now={now} said={said} />
          ))}
        </section>
      ) : null}
      <section aria-labelledby="locks">
        <h2 id="locks">Locked</h2>
        <Locks locks={locks} />
      </section>
      <Figures days={days} />
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <HealthFacts health={health} days={days} release={release} />
      </section>
      <section aria-labelledby="log">
        <h2 id="log">What was done</h2>
        <DecisionLog lines={lines} />
      </section>
    </div>
  );
}
