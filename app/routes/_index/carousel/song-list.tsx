import type { ReactNode } from "react";
import type { CarouselSong } from "~/domain/carousel/view";

/**
 * A package in the order it is worked through: the song being listened to, else the next unrated
 * one, comes first and large; the other unrated ones follow, then the rated ones.
 * `children` renders one song; `compact` is false for the first unrated one only.
 */
export function SongList({
  songs,
  currentSongId,
  children,
}: {
  songs: CarouselSong[];
  /** The song being listened to, or null. */
  currentSongId: string | null;
  children: (song: CarouselSong, compact: boolean) => ReactNode;
}) {
  const rank = (song: CarouselSong) =>
    song.rated !== null ? 2 : song.songId === currentSongId ? 0 : 1;
  const ordered = songs.toSorted((a, b) => rank(a) - rank(b));
  return (
    <ol className="songs">
      {ordered.map((song, index) => (
        <li key={song.songId}>{children(song, index > 0)}</li>
      ))}
    </ol>
  );
}
