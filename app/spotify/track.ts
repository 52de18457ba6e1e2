/** A track as the product shows it: a cached copy of Spotify's metadata. */
export interface Track {
  /** Spotify's track id, 22 base-62 characters. */
  trackId: string;
  title: string;
  artists: string[];
  album: string;
  /** Absolute URL of the cover at its largest, as a rule 640 pixels, or null where Spotify has none. */
  artUrl: string | null;
  /** The smaller pictures of the same cover, as a rule of 64 and 300 pixels, by their width. */
  smallerArt: Record<number, string>;
  durationMs: number;
  /** International Standard Recording Code, as `recordingCode` writes it: the same for all copies of a recording. */
  isrc: string | null;
  /** The track's page at Spotify. */
  spotifyUrl: string;
  /** Spotify marks it as explicit, and hides it from accounts that are set so. */
  explicit: boolean;
}

/** A track in a list, with its places in the catalogue. */
export interface ListedTrack extends Track {
  /** Null where Spotify has told none. */
  albumId: string | null;
  /** Spotify's ids of the artists, in the order of `artists`; null for one that has none. */
  artistIds: (string | null)[];
}

/** The part of a track that names and pictures it. */
export type TrackInfo = Pick<Track, "title" | "artists" | "artUrl">;

/** Stands for the name of an artist whose name nobody can see. */
export const unknownArtist = "Unknown artist";

/** A recording's code in its one form, upper case without hyphens; null for anything else. */
export function recordingCode(text: string | null | undefined): string | null {
  const code = text?.replace(/\W/g, "").toUpperCase() ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(code) ? code : null;
}

/** Checks a text for the form of Spotify's ids of tracks, albums and artists: 22 base-62 characters. */
export function isSpotifyId(text: string): boolean {
  return /^[0-9A-Za-z]{22}$/.test(text);
}
