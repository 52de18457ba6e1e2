import type { Track } from "~/spotify/track";

/** 'artist - song' as one string, for accessible names. */
export function songName(track: Pick<Track, "artists" | "title">): string {
  return `${track.artists.join(", ")} - ${track.title}`;
}

/**
 * 'artist - song' as a link to the track at Spotify, with each name in its own writing direction. If a line
 * is too short for both, the artists are cut off (song.css). Nobody translates them, because Spotify's terms
 * want titles as they are.
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

/** The mark of an explicit song, as Spotify has it beside the title; nothing for any other. */
export function ExplicitMark({ track }: { track: { explicit?: boolean } }) {
  return track.explicit ? <span className="badge">Explicit</span> : null;
}
