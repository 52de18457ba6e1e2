import type { Track } from "~/adapters/spotify/track";

/** Leads to the page of a track, or of something else, at Spotify, where its title stands beside it as plain text. */
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
