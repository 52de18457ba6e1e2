import type { Song } from "~/sources/song";

export function SpotifyLink({ track }: { track: Pick<Song, "title" | "spotifyUrl"> }) {
  if (track.spotifyUrl === null) return null;
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
