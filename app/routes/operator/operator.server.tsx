import type { ReactNode } from "react";
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
      <Part id="reports" heading="To decide about">
        {open.length > 0 ? null : <p>Nothing waits for a decision.</p>}
        {open.map(({ song, notice }) =>
          song ? (
            <SongDecisions key={song.songId} song={song} now={now} said={said} />
          ) : (
            <NoticeDecisions key={notice.id} notice={notice} />
          ),
        )}
      </Part>
      <Part id="troubles" heading="Needs attention">
        <Troubles health={health} />
      </Part>
      <Part id="people" heading="People">
        <People nobody={nobody} look={look} ownId={ownId} />
      </Part>
      {takenOut.length > 0 ? (
        <Part id="out" heading="Taken out">
          {takenOut.map((song) => (
            <SongDecisions key={song.songId} song={song} now={now} said={said} />
          ))}
        </Part>
      ) : null}
      <Part id="locks" heading="Locked">
        <Locks locks={locks} />
      </Part>
      <Figures days={days} />
      <Part id="health" heading="Health">
        <HealthFacts health={health} days={days} release={release} />
      </Part>
      <Part id="log" heading="What was done">
        <DecisionLog lines={lines} />
      </Part>
    </div>
  );
}

function Part({ id, heading, children }: { id: string; heading: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}
