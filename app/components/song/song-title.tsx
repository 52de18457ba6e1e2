import type { Track } from "~/spotify/track";

export function songName(track: Pick<Track, "artists" | "title">): string {
  return `${track.artists.join(", ")} - ${track.title}`;
}

/**
 * Each name has its own writing direction. On a short line the artists are cut off (song.css). Spotify's
 * terms want titles untranslated.
 */
export function SongTitle({
  track,
}: {
  track: Pick<Track, "artists" | "title" | "spotifyUrl"> & { explicit?: boolean };
}) {
  return (
    <>
      <a className="song-title" href={track.spotifyUrl} target="_blank" rel="noopener">
        {/* Keeps the hyphen from starting a line. */}
        <span className="song-artists">
          <bdi translate="no">{track.artists.join(", ")}</bdi>
          {"\u00a0-"}
        </span>{" "}
        <bdi translate="no">{track.title}</bdi>
        <span className="visually-hidden"> (opens Spotify)</span>
      </a>
      <ExplicitMark track={track} />
    </>
  );
}

export function ExplicitMark({ track }: { track: { explicit?: boolean } }) {
  return track.explicit ? <span className="badge">Explicit</span> : null;
}
