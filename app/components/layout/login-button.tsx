import { emailLoginPath } from "~/members/email-login-path";
import type { Open } from "~/platform/env";
import { loginScopesInWords } from "~/spotify/permissions";

/** The ways in that are open: Spotify's first, by e-mail always. */
export function LoginButton({ open, next }: { open: Open; next?: string }) {
  const byEmail = emailLoginPath(next);
  if (!open.spotify) {
    return (
      <div className="login">
        <a className="button" id="login" href={byEmail}>
          Log in with your e-mail
        </a>
        <p className="quiet">There is no password: we send you a code.</p>
      </div>
    );
  }
  return (
    <form className="login" method="post" action="/login">
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <button className="button" id="login" type="submit">
        Log in with Spotify Premium
      </button>
      <p>
        No Spotify Premium? <a href={byEmail}>Come in with your e-mail.</a>
      </p>
      <p className="quiet">
        <span>The login is safe: it happens at Spotify, and we never see your password.</span>{" "}
        <span>{loginScopesInWords}</span>
      </p>
    </form>
  );
}
