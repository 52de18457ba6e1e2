import { Notice } from "~/components/notice";
import type { Decisions } from "~/domain/operator/overview.server";
import { DecisionLog, Locks } from "./log";
import { SongDecisions } from "./songs";

/** What those who operate Fivefold see, and what they can do. It needs no script. */
export function OperatorPage({
  now,
  done,
  again,
  decisions,
}: {
  /** The server's clock, in epoch milliseconds. */
  now: number;
  /** A form has just done what it was for. */
  done: boolean;
  /** The operator has just logged in again, because a form asked for it. */
  again: boolean;
  decisions: Decisions;
}) {
  const { open, takenOut, locks, lines } = decisions;
  return (
    <div className="operation">
      <h1>Operation</h1>
      {done ? <Notice tone="ok">It is done.</Notice> : null}
      {again ? (
        <Notice tone="info">You are logged in anew. Please enter it again and press.</Notice>
      ) : null}
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
      <section aria-labelledby="log">
        <h2 id="log">What was done</h2>
        <DecisionLog lines={lines} />
      </section>
    </div>
  );
}
