import type { Track } from "~/adapters/spotify/track";

/** 'artist - song' as one string, for accessible names. */
export function songName(track: Pick<Track, "artists" | "title">): string {
  return `${track.artists.join(", ")} - ${track.title}`;
}

/** 'artist - song', linked to the track's page at Spotify, each in its own writing direction. */
export function SongTitle({ track }: { track: Pick<Track, "artists" | "title" | "spotifyUrl"> }) {
  return (
    <a className="song-title" href={track.spotifyUrl} target="_blank" rel="noopener">
      <bdi>{track.artists.join(", ")}</bdi>
      {/* No line begins with the hyphen. */}
      {"\u00a0- "}
      <bdi>{track.title}</bdi>
      <span className="visually-hidden"> (opens Spotify)</span>
    </a>
  );
}
