import type { Track } from "~/adapters/spotify/track";

/** 'artist - song' as one string, for accessible names. */
export function songName(track: Pick<Track, "artists" | "title">): string {
  return `${track.artists.join(", ")} - ${track.title}`;
}

/**
 * 'artist - song', linked to the track's page at Spotify, each in its own writing direction. Where both are
 * too long for a line, the artists are cut (song.css).
 */
export function SongTitle({ track }: { track: Pick<Track, "artists" | "title" | "spotifyUrl"> }) {
  return (
    <a className="song-title" href={track.spotifyUrl} target="_blank" rel="noopener">
      {/* No line begins with the hyphen. */}
      <span className="song-artists">
        <bdi>{track.artists.join(", ")}</bdi>
        {"\u00a0-"}
      </span>{" "}
      <bdi>{track.title}</bdi>
      <span className="visually-hidden"> (opens Spotify)</span>
    </a>
  );
}
