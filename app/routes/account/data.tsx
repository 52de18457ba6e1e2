import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

/** Downloading one's data. */
export function AccountData() {
  return (
    <>
      <p>
        You can download everything that Fivefold stores about you as one file. The{" "}
        <Link to="/imprint">privacy policy</Link> says what that is and how long we keep it.
      </p>
      {/* The answer is a file and the document stays, so this form needs no script. */}
      <form method="post" action="/account/export">
        <button className="button plain" type="submit">
          Download my data
        </button>
      </form>
    </>
  );
}

/** Deleting the account, behind a heading that opens. */
export function AccountDeletion({
  subscribed,
  again,
}: {
  subscribed: boolean;
  /** What to say above the button after the user has logged in again to delete the account. */
  again: ReactNode;
}) {
  return (
    <details className="panel" id="delete" open={again !== null}>
      <summary>
        <h2>Delete my account</h2>
      </summary>
      <p>
        This deletes your songs, the ratings they received and everything else about you
        {subscribed ? ", and your subscription ends at once" : ""}. The ratings you gave stay with
        the songs, without a trace of who gave them. For about a month we keep encrypted
        fingerprints of what you rated and of what Spotify did not play for you, so that nobody
        counts twice by coming back. This cannot be undone.
      </p>
      {again}
      <form className="checkbox-form" method="post" action="/account/delete">
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
