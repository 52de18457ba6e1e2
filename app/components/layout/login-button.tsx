import { emailLoginPath } from "~/login/email-login-path";
import type { Offers } from "~/platform/env";
import { loginScopesInWords } from "~/sources/spotify/client/permissions";

/** The ways in that are open: Spotify's first, by e-mail always. */
export function LoginButton({ offers, next }: { offers: Offers; next?: string }) {
  const byEmail = emailLoginPath(next);
  if (!offers.spotify) {
    return (
      <div className="login">
        <a className="button" id="login" href={byEmail}>
          Log in with your e-mail
        </a>
        <p className="quiet">There is no password: we send you a code.</p>
        <Accepting />
      </div>
    );
  }
  return (
    <form className="login" method="post" action="/login">
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <button className="button" id="login" type="submit">
        <SpotifyMark />
        <span>Log in with Spotify Premium</span>
      </button>
      <a className="button plain" href={byEmail}>
        Come in with your e-mail
      </a>
      <p className="quiet">
        <span>The login is safe: it happens at Spotify, and we never see your password.</span>{" "}
        <span>{loginScopesInWords}</span>
      </p>
      <Accepting />
    </form>
  );
}

export function Accepting() {
  return (
    <p className="quiet">
      By logging in you accept the <a href="/terms">terms</a>.
    </p>
  );
}

/** White or black, as Spotify asks of its mark; its waves are as the button. */
function SpotifyMark() {
  return (
    <svg width={24} height={24} viewBox="0 0 28 28" aria-hidden="true">
      <circle cx="14" cy="14" r="14" fill="light-dark(#fff,#000)" />
      <g fill="none" stroke="var(--ff-ink)" strokeLinecap="round">
        <path d="M6.5 10.2c5-1.5 10.5-1 15 1.5" strokeWidth="2.6" />
        <path d="M7.2 14.4c4.2-1.2 8.8-.7 12.6 1.4" strokeWidth="2.2" />
        <path d="M7.8 18.4c3.5-.9 7.2-.5 10.4 1.3" strokeWidth="1.8" />
      </g>
    </svg>
  );
}
