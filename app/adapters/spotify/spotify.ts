import type { Track } from "./track";

/** A track that was asked for by its id. */
export interface FoundTrack extends Track {
  /**
   * Whether Spotify plays it where the asking user is. False only if Spotify says so, and not for a
   * reason that lies with the user's own account.
   */
  playable: boolean;
  /** Whether all of this is said of another track, which Spotify plays in its place. */
  relinked: boolean;
  /** Spotify's ids of the artists, in the order of `artists`; null for one that has none. */
  artistIds: (string | null)[];
}

/** A musician's profile as Spotify gives it. */
export interface SpotifyProfile {
  /** `account_id` where Spotify gives one, else `id`. */
  id: string;
  displayName: string;
  imageUrl: string | null;
  /** Null for apps in development mode, which are not told it. */
  email: string | null;
  /** Whether the account is Spotify Premium; null for the same apps. */
  hasPremium: boolean | null;
}

/** What Spotify is playing, or played last. */
export interface Playback {
  playing: boolean;
  /** How far into the track, in milliseconds. */
  progressMs: number;
  /** The ids that the track goes by: its own and, where it was relinked, the one asked for. */
  trackIds: string[];
  isrc: string | null;
}

/** A device that plays: a phone, a browser tab, a speaker. */
export interface Device {
  /** Some devices have no id and cannot be controlled. */
  id: string | null;
  name: string;
  /** In Spotify's words: Smartphone, Computer, Speaker. */
  type: string;
}

export interface DevicePlayback extends Playback {
  /** The active device, or null where none is active any more. */
  device: Device | null;
  /** The track that plays; null where none does, or what is said of it cannot be read. */
  track: FoundTrack | null;
}

/** A track in an album's list, without what is the same for the whole album. */
export type AlbumTrack = Pick<Track, "trackId" | "title" | "artists" | "durationMs" | "spotifyUrl">;

/** An album, an artist or a playlist, as far as the product shows it. */
export interface CatalogueEntry {
  id: string;
  name: string;
  /** Absolute URL of the largest picture, or null where Spotify has none. */
  imageUrl: string | null;
  /** Its page at Spotify. */
  spotifyUrl: string;
}

/** What somebody has pasted in the place of a search term. */
export type PastedLink =
  | { kind: "track"; trackId: string }
  /** A short address; only following it tells where it leads. */
  | { kind: "share"; url: string }
  /** Something else at Spotify, in Spotify's word for it: album, playlist, artist. */
  | { kind: "other"; what: string }
  /** A link to another site. */
  | { kind: "foreign" };

/** What somebody has pasted, once every short address in it was followed. */
export type ReadLink = Exclude<PastedLink, { kind: "share" }>;

/**
 * Spotify's Web API for one user (spec section 7). Every call may throw a SpotifyError. Lists are
 * the first page only, as long as Spotify allows: 10 entries for a search, 50 otherwise. They leave
 * out entries that cannot be read or played.
 */
export interface Spotify {
  /** Tracks for a search term, best match first. Spotify refuses an empty term. */
  searchTracks(term: string): Promise<Track[]>;
  /** Tracks on albums of that name by artists of that name. */
  searchAlbumTracks(album: string, artist: string): Promise<Track[]>;
  /** Public playlists for a search term, best match first. */
  searchPlaylists(term: string): Promise<CatalogueEntry[]>;
  profile(): Promise<SpotifyProfile>;
  /** The playlists that the user owns or follows. */
  playlists(): Promise<CatalogueEntry[]>;
  /** Newer apps only get the tracks of the user's own playlists. */
  playlistTracks(playlistId: string): Promise<Track[]>;
  /** A track, or null where no track has that id. */
  track(trackId: string): Promise<FoundTrack | null>;
  /** An album, or null where no album has that id. */
  album(albumId: string): Promise<CatalogueEntry | null>;
  /** URL of an album's cover, or of the app's fallback picture on failure (spec section 7). */
  albumImage(albumId: string): Promise<string>;
  albumTracks(albumId: string): Promise<AlbumTrack[]>;
  /** An artist, or null where no artist has that id. */
  artist(artistId: string): Promise<CatalogueEntry | null>;
  /** What the active device plays, or null where no device is active. Never waits out a 429. */
  playback(): Promise<DevicePlayback | null>;
  /** What plays on any device, or null where nothing does. Never waits out a 429. */
  currentlyPlaying(): Promise<Playback | null>;
  /** Starts a track from its beginning, on the given device or else on the active one. */
  play(trackId: string, deviceId?: string): Promise<void>;
  /** Pauses the given device, or else the active one. Never waits out a 429. */
  pause(deviceId?: string): Promise<void>;
  /** Saves a track to the user's library. Saving it twice is the same as once. */
  saveTrack(trackId: string): Promise<void>;
  /**
   * Creates a public playlist with these tracks, in their order. Where adding the tracks fails, the
   * empty playlist remains.
   * @returns its id; null, without any request, where the name or the tracks are missing (spec
   *   section 5).
   */
  savePlaylist(name: string, trackIds: string[]): Promise<string | null>;
}

/** Why Spotify could not answer: an HTTP status, or 0 where it could not be reached in time. */
export class SpotifyError extends Error {
  readonly status: number;
  /** The reason that the player API gives, e.g. NO_ACTIVE_DEVICE. */
  readonly reason: string | null;
  /** On a 429: how many seconds Spotify asks to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    text: string,
    details: { reason?: string | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(`HTTP ${status}: ${text}`);
    this.name = "SpotifyError";
    this.status = status;
    this.reason = details.reason ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }

  /** Whether Spotify is down, slow or limiting requests, as opposed to refusing this one. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** There is no access to Spotify for this login any more: the user has to log in again. */
export class SpotifyLoginEnded extends SpotifyError {
  /** Whether Spotify has ended it, and not the user, elsewhere, or the product. */
  readonly bySpotify: boolean;

  constructor({ bySpotify = true } = {}) {
    super(401, bySpotify ? "Spotify has ended the login" : "The login has ended");
    this.bySpotify = bySpotify;
  }
}

/**
 * Whether Spotify plays this track. It may play a relinked copy under another id, so the id, the id
 * asked for or the recording code must agree.
 */
export function isSameTrack(
  playback: Pick<Playback, "trackIds" | "isrc">,
  track: Pick<Track, "trackId" | "isrc">,
): boolean {
  if (playback.trackIds.includes(track.trackId)) return true;
  return track.isrc !== null && playback.isrc === track.isrc;
}
