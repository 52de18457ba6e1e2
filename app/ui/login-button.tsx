/** Begins the login at Spotify. */
export function LoginButton() {
  return (
    <form method="post" action="/login">
      <button className="button" type="submit">
        Log in with Spotify Premium
      </button>
    </form>
  );
}
