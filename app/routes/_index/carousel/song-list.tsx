import { type ReactNode, useRef } from "react";
import type { CarouselSong } from "~/exchange/carousel/view";

/**
 * The songs of a package: first the one that was current when the list appeared, or the next unrated one,
 * then the other unrated songs, then the rated ones. Starting another song does not change the order.
 */
export function SongList({
  songs,
  currentSongId,
  children,
}: {
  songs: CarouselSong[];
  /** The song that the viewer is listening to, or null. */
  currentSongId: string | null;
  /** Renders one song; `compact` is false for the first song of the list only. */
  children: (song: CarouselSong, compact: boolean) => ReactNode;
}) {
  const first = useRef(currentSongId);
  const rank = (song: CarouselSong) =>
    song.rated !== null ? 2 : song.songId === first.current ? 0 : 1;
  const ordered = [...songs].sort((a, b) => rank(a) - rank(b));
  return (
    <ol className="songs">
      {ordered.map((song, index) => (
        <li key={song.songId}>{children(song, index > 0)}</li>
      ))}
    </ol>
  );
}
