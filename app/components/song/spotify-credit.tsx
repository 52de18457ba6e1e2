import type { Song } from "~/sources/song";

/** Spotify requires this credit wherever its content is shown: with any of these songs, or without them always. */
export function SpotifyCredit({ songs }: { songs?: Pick<Song, "spotifyUrl">[] }) {
  if (songs?.every(({ spotifyUrl }) => spotifyUrl === null)) return null;
  return (
    <p className="credit">
      Images and info come from
      <a href="https://open.spotify.com/">
        <img src="/spotify-logo.svg" alt="Spotify" width={97} height={28} />
      </a>
    </p>
  );
}
