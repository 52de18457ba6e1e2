import { ButtonForm } from "~/components/form/button-form";
import { cameBy, type SessionView } from "~/members/views";
import { dateAndTime } from "~/platform/dates";
import { timeAgo } from "~/platform/time-ago";

const unknownDevice = "Unknown browser";

export function AccountSessions({ sessions, now }: { sessions: SessionView[]; now: number }) {
  return (
    <>
      <ul className="dated-list session-list">
        {sessions.map(({ handle, device, createdAt, lastSeenAt, current, way, spotify }) => (
          <li key={handle}>
            <div>
              <p>
                <span>{`${device ?? unknownDevice} `}</span>
                {current ? <span className="badge">This one</span> : null}
              </p>
              <p className="quiet">
                <span>Active </span>
                <Ago at={lastSeenAt} now={now} />
                <span>, logged in </span>
                <Ago at={createdAt} now={now} />
                <span>{` ${cameBy[way]}`}</span>
                {way !== "spotify" && spotify ? <span>, Spotify connected</span> : null}
              </p>
            </div>
            {/* The page's own "Logout" ends this one. */}
            {current ? null : (
              <ButtonForm
                action="/account/sessions/end"
                fields={{ session: handle }}
                to="/account?ended"
                small
              >
                <span>Log out</span>
                <span className="visually-hidden">{` ${device ?? unknownDevice}`}</span>
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        // Ends the player too, so the whole document must go.
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
    <time dateTime={new Date(at).toISOString()} title={dateAndTime(at)}>
      {timeAgo(at, now) ?? dateAndTime(at)}
    </time>
  );
}
