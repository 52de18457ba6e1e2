export interface Track {
  trackId: string;
  title: string;
  artists: string[];
  album: string;
  artUrl: string | null;
  /** By width, usually 64 and 300 pixels. */
  smallerArt: Record<number, string>;
  durationMs: number;
  /** As `recordingCode` writes it; the same for all copies of a recording. */
  isrc: string | null;
  spotifyUrl: string;
  /** Spotify hides explicit tracks from accounts that are set so. */
  explicit: boolean;
}

export interface ListedTrack extends Track {
  albumId: string | null;
  /** In the order of `artists`; null for one that has none. */
  artistIds: (string | null)[];
}

export type TrackInfo = Pick<Track, "title" | "artists" | "artUrl">;

export const unknownArtist = "Unknown artist";

/** An ISRC in upper case without hyphens; null for anything else. */
export function recordingCode(text: string | null | undefined): string | null {
  const code = text?.replace(/\W/g, "").toUpperCase() ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(code) ? code : null;
}

/** Ids of tracks, albums and artists have 22 base-62 characters. */
export function isSpotifyId(text: string): boolean {
  return /^[0-9A-Za-z]{22}$/.test(text);
}
