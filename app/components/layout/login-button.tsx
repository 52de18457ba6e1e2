export function LoginButton({ next }: { next?: string }) {
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
