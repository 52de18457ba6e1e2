/** The button that starts the login at Spotify, with a note that it is safe. */
export function LoginButton({
  next,
}: {
  /** The path to go to after the login; the start page by default. */
  next?: string;
}) {
  return (
    <form className="login" method="post" action="/login">
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <button className="button" type="submit">
        Log in with Spotify Premium
      </button>
      <p className="quiet">
        The login is safe: it happens at Spotify, and we never see your password.
      </p>
    </form>
  );
}
