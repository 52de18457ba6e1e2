import { timeAgo, utcTime } from "~/components/format/relative-time";
import type { SessionView } from "~/domain/session/views";

/** The sessions of the user, and a button that ends all of them. */
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
      <ul className="dated-list">
        {sessions.map(({ device, createdAt, lastSeenAt, current }) => (
          <li key={`${createdAt}-${lastSeenAt}`}>
            <span>
              {device ?? "Unknown browser"}{" "}
              {current ? <span className="badge">This one</span> : null}
            </span>
            <time dateTime={new Date(lastSeenAt).toISOString()} title={utcTime(lastSeenAt)}>
              {timeAgo(lastSeenAt, now) ?? utcTime(lastSeenAt)}
            </time>
          </li>
        ))}
      </ul>
      <form method="post" action="/account/sessions/end">
        <button className="button plain" type="submit">
          Log out everywhere
        </button>
      </form>
    </>
  );
}
