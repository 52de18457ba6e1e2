import type { CatalogueEntry, FoundTrack } from "~/sources/catalogue";
import type { Playback } from "~/sources/listen";

export interface ListPage<T> {
  items: T[];
  more: boolean;
}

export interface SpotifyProfile {
  /** `account_id` where Spotify gives one, else `id`. */
  id: string;
  displayName: string;
  imageUrl: string | null;
  /** Apps in development mode are told neither this nor `hasPremium`. */
  email: string | null;
  hasPremium: boolean | null;
}

export interface Device {
  /** Without an id, a device cannot be controlled. */
  id: string | null;
  name: string;
  type: string;
}

export interface DevicePlayback extends Playback {
  device: Device | null;
  /** Null for an episode, or where the track cannot be read. */
  track: FoundTrack | null;
}

export type AlbumTrack = Pick<
  FoundTrack,
  | "trackId"
  | "title"
  | "artists"
  | "artistIds"
  | "durationMs"
  | "spotifyUrl"
  | "playable"
  | "explicit"
>;

/** "not yours": it is somebody else's who does not let the user add to it. */
export type AddOutcome = "added" | "full" | "gone" | "not yours";

export interface OwnPlaylist extends CatalogueEntry {
  trackCount: number | null;
}

/** "foreign" leads to another site; `what` is Spotify's word for something else there. */
export type ReadLink =
  | { kind: "track" | "album" | "artist"; id: string }
  | { kind: "other"; what: string }
  | { kind: "foreign" };

export const pageLengths = { search: 10, list: 50 } as const;

export class SpotifyError extends Error {
  /** Of HTTP, or 0 where Spotify could not be reached in time. */
  readonly status: number;
  /** From the player API, e.g. NO_ACTIVE_DEVICE. */
  readonly reason: string | null;
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

  /** Spotify is down, slow or limiting requests, and does not refuse this one. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function lacksPermission(error: unknown): boolean {
  return (
    error instanceof SpotifyError &&
    error.status === 403 &&
    error.message.includes("Insufficient client scope")
  );
}

export class SpotifyLoginEnded extends SpotifyError {
  /** False if the user has ended the login elsewhere, or the product has. */
  readonly bySpotify: boolean;

  constructor({ bySpotify = true } = {}) {
    super(401, bySpotify ? "Spotify has ended the login" : "The login has ended");
    this.bySpotify = bySpotify;
  }
}

/** The session goes on without a connection to Spotify, so nothing was asked. */
export class SpotifyNotConnected extends SpotifyError {
  /** True if Spotify has just ended the connection. */
  readonly ended: boolean;

  constructor({ ended = false } = {}) {
    super(401, "The session is not connected to Spotify");
    this.ended = ended;
  }
}
