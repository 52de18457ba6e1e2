import type { Track } from "./track";

/** A musician's profile as Spotify gives it. */
export interface SpotifyProfile {
  /** `account_id` where Spotify gives one, else `id`. */
  id: string;
  displayName: string;
  imageUrl: string | null;
  /** Apps in development mode get none. */
  email: string | null;
}

/** What Spotify says is on, or was last on. */
export interface Playback {
  playing: boolean;
  progressMs: number;
  /** Ids by which the item may go: its own and, where relinked, the one asked for. */
  trackIds: string[];
  isrc: string | null;
}

/** A device that plays: a phone, a browser tab, a speaker. */
export interface Device {
  /** Some devices have none and cannot be commanded. */
  id: string | null;
  name: string;
  /** As Spotify calls it: Smartphone, Computer, Speaker. */
  type: string;
}

export interface DevicePlayback extends Playback {
  /** The active device, or null where none is active any more. */
  device: Device | null;
}

/** A track inside an album's list: what it shares with the album is not told again. */
export type AlbumTrack = Pick<Track, "trackId" | "title" | "artists" | "durationMs" | "spotifyUrl">;

/** An album, an artist or a playlist, as far as it is shown. */
export interface CatalogueEntry {
  id: string;
  name: string;
  /** Absolute URL of the largest picture, or null where Spotify has none. */
  imageUrl: string | null;
  /** Its page at Spotify. */
  spotifyUrl: string;
}

/**
 * Spotify's Web API, for one user (spec section 7). Every call may throw a SpotifyError. Lists are
 * the first page alone, as long as Spotify allows: 10 where it is searched, else 50; what cannot be
 * read or played is left out.
 */
export interface Spotify {
  /** Tracks for a search term, best first. Spotify refuses an empty term. */
  searchTracks(term: string): Promise<Track[]>;
  /** Tracks of the albums of that name by artists of that name. */
  searchAlbumTracks(album: string, artist: string): Promise<Track[]>;
  /** Public playlists for a search term, best first. */
  searchPlaylists(term: string): Promise<CatalogueEntry[]>;
  profile(): Promise<SpotifyProfile>;
  /** The user's own playlists and those they follow. */
  playlists(): Promise<CatalogueEntry[]>;
  /** Newer apps get the user's own playlists' tracks alone. */
  playlistTracks(playlistId: string): Promise<Track[]>;
  /** A track, or null where there is none of that id. */
  track(trackId: string): Promise<Track | null>;
  /** An album, or null where there is none of that id. */
  album(albumId: string): Promise<CatalogueEntry | null>;
  /** URL of an album's cover; of the app's own stand-in where that cannot be had (spec section 7). */
  albumImage(albumId: string): Promise<string>;
  albumTracks(albumId: string): Promise<AlbumTrack[]>;
  /** An artist, or null where there is none of that id. */
  artist(artistId: string): Promise<CatalogueEntry | null>;
  /** What is on the active device, or null when nothing is active. Never waits out a 429. */
  playback(): Promise<DevicePlayback | null>;
  /** What is on, wherever it is, or null when nothing is. Never waits out a 429. */
  currentlyPlaying(): Promise<Playback | null>;
  /** Starts a track at its beginning; without a device, on the active one. */
  play(trackId: string, deviceId?: string): Promise<void>;
  /** Pauses; without a device, the active one. */
  pause(deviceId?: string): Promise<void>;
  /** Saves a track to the user's library. Saved twice it is there once. */
  saveTrack(trackId: string): Promise<void>;
  /**
   * Makes a public playlist of tracks, in their order. Where the tracks cannot be added, the empty
   * playlist stays.
   * @returns its id; null, and nothing is sent, without a name or tracks (spec section 5).
   */
  savePlaylist(name: string, trackIds: string[]): Promise<string | null>;
}

/** Why Spotify could not answer: an HTTP status, or 0 where it could not be reached in time. */
export class SpotifyError extends Error {
  readonly status: number;
  /** The player's reason, e.g. NO_ACTIVE_DEVICE. */
  readonly reason: string | null;
  /** How long Spotify asks to be left alone, on a 429. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    text: string,
    reason: string | null = null,
    retryAfterSeconds: number | null = null,
  ) {
    super(`HTTP ${status}: ${text}`);
    this.name = "SpotifyError";
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether Spotify is down, slow or limiting, rather than refusing. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Spotify has ended the authorization: the user has to log in again. */
export class SpotifyLoginEnded extends SpotifyError {
  constructor() {
    super(401, "Spotify has ended the login");
  }
}
