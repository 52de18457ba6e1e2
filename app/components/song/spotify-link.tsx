import type { Track } from "~/adapters/spotify/track";

/** Leads to a track's page at Spotify, where its title stands beside it as plain text. */
export function SpotifyLink({ track }: { track: Track }) {
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
