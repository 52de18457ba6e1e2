import { Link } from "@remix-run/react";
import type { ComponentProps, FormEvent } from "react";
import { FavoriteButton, InPlaylist } from "~/components/song/favorite-button";
import { SongTitle, songName } from "~/components/song/song-title";
import type { CarouselSong, CarouselView } from "~/exchange/carousel/view";
import type { ViewerView } from "~/members/views";
import { playlistPath } from "~/sources/spotify/library/finds";
import type { CarouselState } from "./song-status";

export interface CarouselControls
  extends Omit<CarouselState, "listen" | "songs">,
    Pick<CarouselView, "listen" | "songs">,
    Pick<ViewerView, "hasSpotify" | "hearsSpotify"> {
  /** Ids of the songs in the viewer's library at Spotify; null or undefined if unknown. */
  saved: string[] | null | undefined;
  justFavorited: string | null;
  failure: { songId: string; text: string } | null;
  play(song: CarouselSong, event: FormEvent<HTMLFormElement>): void;
  pause(): void;
  rate(form: HTMLFormElement, songId: string): void;
}

/**
 * Width of the large cover. On a phone it is set too low: with two pixels a point the 300-pixel picture is
 * enough, and the carousel's pictures stay below 120 KB in total.
 */
export const largeCover = "(width < 48rem) 9rem, 36rem";

export function songBoxId(songId: string): string {
  return `song-${songId}`;
}

/** Whole, however long it is. */
export function LargeTitle({ track }: ComponentProps<typeof SongTitle>) {
  return (
    <h2 className={track.title.length > 60 ? "long" : undefined}>
      <SongTitle track={track} />
    </h2>
  );
}

export function Favorite({
  song,
  carousel: { hasSpotify, saved, justFavorited },
}: {
  song: Pick<CarouselSong, "songId" | "artists" | "title" | "spotifyUrl" | "favorited">;
  carousel: CarouselControls;
}) {
  if (!hasSpotify || song.spotifyUrl === null) return null;
  return (
    <FavoriteButton
      song={song}
      saved={saved?.includes(song.songId)}
      justAdded={song.songId === justFavorited}
    />
  );
}

export function PlaylistLink({
  song,
  carousel: { hasSpotify },
}: {
  song: Pick<CarouselSong, "songId" | "artists" | "title" | "spotifyUrl" | "playlist">;
  carousel: CarouselControls;
}) {
  if (!hasSpotify || song.spotifyUrl === null) return null;
  if (song.playlist) return <InPlaylist name={song.playlist} />;
  return (
    <Link className="link-button" to={playlistPath(song.songId)}>
      <span>Put it into a playlist</span>
      <span className="visually-hidden">{`: ${songName(song)}`}</span>
    </Link>
  );
}
