/** A Spotify track as the product shows it: a cache of Spotify's own metadata. */
export interface Track {
  /** Spotify's track id, 22 base-62 characters. */
  trackId: string;
  title: string;
  artists: string[];
  album: string;
  /** Absolute URL of the cover, or null where Spotify has none. */
  artUrl: string | null;
  durationMs: number;
  /** International Standard Recording Code; identifies a recording across relinked tracks. */
  isrc: string | null;
  /** The track's page at Spotify. */
  spotifyUrl: string;
}
