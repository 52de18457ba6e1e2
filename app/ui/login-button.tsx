/** Begins the login at Spotify. */
export function LoginButton({
  next,
}: {
  /** The path that the login leads to; where absent the front page. */
  next?: string;
}) {
  return (
    <form method="post" action="/login">
      {next ? <input type="hidden" name="next" value={next} /> : null}
      <button className="button" type="submit">
        Log in with Spotify Premium
      </button>
    </form>
  );
}
