import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

/** Downloading one's data, and deleting the account. */
export function AccountData({
  subscribed,
  again,
}: {
  subscribed: boolean;
  /** What to say above the button after the user has logged in again to delete the account. */
  again: ReactNode;
}) {
  return (
    <>
      <h2>Your data</h2>
      <p>
        Everything that Fivefold stores about you, as one file. What that is, and how long we keep
        it, is in the <Link to="/imprint">privacy policy</Link>.
      </p>
      <form method="post" action="/account/export">
        <button className="button plain" type="submit">
          Download my data
        </button>
      </form>
      <details className="panel" id="delete" open={again !== null}>
        <summary>
          <h2>Delete my account</h2>
        </summary>
        <p>
          Your songs are withdrawn with the ratings they received
          {subscribed ? ", your subscription ends at once," : ""} and everything else about you is
          deleted. The ratings you gave remain with the songs, without a trace of who gave them. For
          about a month we keep encrypted fingerprints of what you rated and of what Spotify did not
          play to you, so that coming back makes nobody count twice. This cannot be undone.
        </p>
        {again}
        <form className="checkbox-form" method="post" action="/account/delete">
          <label>
            <input type="checkbox" name="sure" required />I want my account to be deleted
            permanently.
          </label>
          <button className="button danger" type="submit">
            Delete my account
          </button>
        </form>
      </details>
    </>
  );
}
