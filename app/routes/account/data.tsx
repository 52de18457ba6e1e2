import { Link } from "@remix-run/react";
import type { ReactElement } from "react";
import { retentionDays } from "~/db/periods";
import { counted } from "~/platform/text";

/** The download of the user's data. */
export function AccountData() {
  return (
    <>
      <p>
        You can download everything that Fivefold stores about you, in one file. The{" "}
        <Link to="/imprint">privacy policy</Link> says what that is and how long we keep it.
      </p>
      {/* The answer is a file and the document stays, so the form needs no script. */}
      <form method="post" action="/account/export">
        <button className="button plain" type="submit">
          Download my data
        </button>
      </form>
    </>
  );
}

/** The deletion of the account, behind a heading that opens. */
export function AccountDeletion({
  account,
  subscribed,
  again,
}: {
  account: string;
  subscribed: boolean;
  /** The notice above the button after the user has logged in again to delete the account. */
  again: ReactElement | null;
}) {
  return (
    <details className="panel" id="delete" open={again !== null}>
      <summary>
        <h2>Delete my account</h2>
      </summary>
      <p>
        {`This deletes your songs, the ratings they received and everything else about you${
          subscribed ? ", and your subscription ends at once" : ""
        }. The ratings you gave stay with the songs, without your name. This cannot be undone.`}
      </p>
      <p>
        {`You are welcome back at any time. If you log in again with the same Spotify account within a day, you get no songs to rate and cannot submit any until that day is over. For ${counted(retentionDays.departures, "day")} we keep a fingerprint of that account, and with it which songs you have rated, so that nobody rates a song twice by coming back.`}
      </p>
      {again}
      <form className="checkbox-form" method="post" action="/account/delete">
        <input type="hidden" name="account" value={account} />
        <label>
          <input type="checkbox" name="sure" required />I want my account to be deleted permanently.
        </label>
        <button className="button danger" type="submit">
          Delete my account
        </button>
      </form>
    </details>
  );
}
