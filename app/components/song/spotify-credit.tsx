/** Spotify requires this credit wherever its content is shown. */
export function SpotifyCredit() {
  return (
    <p className="credit">
      Images and info come from
      <a href="https://open.spotify.com/">
        <img src="/spotify-logo.svg" alt="Spotify" width={97} height={28} />
      </a>
    </p>
  );
}
