import { timeAgo, utcTime } from "~/components/format/relative-time";
import type { SessionView } from "~/domain/session/views";

/** The sessions of the user, each with a button that ends it, and one that ends all of them. */
export function AccountSessions({
  sessions,
  now,
}: {
  sessions: SessionView[];
  /** The server's clock when the sessions were loaded, in epoch milliseconds. */
  now: number;
}) {
  return (
    <>
      <h2>Where you are logged in</h2>
      <ul className="dated-list session-list">
        {sessions.map(({ handle, device, createdAt, lastSeenAt, current }) => (
          <li key={handle}>
            <div>
              <p>
                {device ?? "Unknown browser"}{" "}
                {current ? <span className="badge">This one</span> : null}
              </p>
              <p className="quiet">
                Active <Ago at={lastSeenAt} now={now} />, logged in <Ago at={createdAt} now={now} />
              </p>
            </div>
            <form method="post" action="/account/sessions/end">
              <input type="hidden" name="session" value={handle} />
              <button className="button plain small" type="submit">
                Log out
                <span className="visually-hidden"> {device ?? "Unknown browser"}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <form method="post" action="/account/sessions/end">
          <button className="button plain" type="submit">
            Log out everywhere
          </button>
        </form>
      ) : null}
    </>
  );
}

function Ago({ at, now }: { at: number; now: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={utcTime(at)}>
      {timeAgo(at, now) ?? utcTime(at)}
    </time>
  );
}
