import { songs } from "./schema";

/** The columns of a Song (app/exchange/song.ts). */
export const songColumns = {
  trackId: songs.trackId,
  title: songs.title,
  artists: songs.artists,
  album: songs.album,
  artUrl: songs.artUrl,
  smallerArt: songs.smallerArt,
  durationMs: songs.durationMs,
  isrc: songs.isrc,
  spotifyUrl: songs.spotifyUrl,
  explicit: songs.explicit,
};
