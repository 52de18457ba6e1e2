import { songs } from "./schema";

/** The columns of a Track (app/spotify/track.ts). */
export const trackColumns = {
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
