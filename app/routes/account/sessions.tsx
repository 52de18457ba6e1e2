import { timeAgo, utcTime } from "~/components/format/relative-time";
import type { SessionView } from "~/domain/session/views";

/** Where one is logged in, and the way to end all of it at once. */
export function AccountSessions({
  sessions,
  now,
}: {
  sessions: SessionView[];
  /** The server's clock when they were read, epoch milliseconds. */
  now: number;
}) {
  return (
    <>
      <h2>Where you are logged in</h2>
      <ul className="dated-list">
        {sessions.map(({ device, createdAt, lastSeenAt, current }) => (
          <li key={`${createdAt}-${lastSeenAt}`}>
            <span>
              {device ?? "Some browser"} {current ? <span className="badge">This one</span> : null}
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
