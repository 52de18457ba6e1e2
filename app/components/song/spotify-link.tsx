import type { Track } from "~/spotify/track";

export function SpotifyLink({ track }: { track: Pick<Track, "title" | "spotifyUrl"> }) {
  return (
    <p className="quiet">
      <a href={track.spotifyUrl} target="_blank" rel="noopener">
        Open in Spotify
        <span className="visually-hidden">
          : <bdi>{track.title}</bdi>
        </span>
      </a>
    </p>
  );
}
