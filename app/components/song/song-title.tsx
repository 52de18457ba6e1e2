import { madeLabels } from "~/sources/made";
import type { Song } from "~/sources/song";

export function songName(track: Pick<Song, "artists" | "title">): string {
  return `${track.artists.join(", ")} - ${track.title}`;
}

/**
 * The title stands above the artists; its text stays "artists - title". Each name has its own writing direction. Spotify's
 * terms want titles untranslated.
 */
export function SongTitle({
  track,
}: {
  track: Pick<Song, "artists" | "title" | "spotifyUrl" | "explicit" | "made">;
}) {
  return (
    <>
      <a
        className="song-title song-name"
        href={track.spotifyUrl ?? undefined}
        target="_blank"
        rel="noopener"
      >
        <span className="song-artists">
          <bdi translate="no">{track.artists.join(", ")}</bdi>
        </span>
        <span className="visually-hidden">{" - "}</span>
        <bdi translate="no">{track.title}</bdi>
        <span className="visually-hidden">
          {track.spotifyUrl === null ? "" : " (opens Spotify)"}
        </span>
      </a>
      <ExplicitMark track={track} />
      <MadeMark track={track} />
    </>
  );
}

/** A `bdi`, so that it does not set the direction of what it stands beside. */
export function ExplicitMark({ track }: { track: Pick<Song, "explicit"> }) {
  return track.explicit ? <bdi className="badge explicit">Explicit</bdi> : null;
}

/** How it was made, unless by people alone (rule 48, made). */
export function MadeMark({ track }: { track: { made: Song["made"] | null } }) {
  const label = track.made && madeLabels[track.made];
  return label ? <bdi className="badge explicit">{label}</bdi> : null;
}
