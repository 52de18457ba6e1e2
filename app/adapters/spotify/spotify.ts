import type { Track } from "~/domain/track";

/** A musician's profile as Spotify gives it. */
export interface SpotifyProfile {
  /** `account_id` where Spotify gives one, else `id`. */
  id: string;
  displayName: string;
  imageUrl: string | null;
  /** Apps in development mode get none. */
  email: string | null;
}

/** What Spotify says is on, or was last on, the user's active device. */
export interface Playback {
  playing: boolean;
  progressMs: number;
  /** Ids by which the item may go: its own and, where relinked, the one asked for. */
  trackIds: string[];
  isrc: string | null;
}

/** Spotify's Web API, for one user. Every call may throw a SpotifyError. */
export interface Spotify {
  /** Tracks for a search term, best first, at most 10. Spotify refuses an empty term. */
  searchTracks(term: string): Promise<Track[]>;
  /** A track, or null where there is none of that id. */
  track(trackId: string): Promise<Track | null>;
  /** What is on the active device, or null when nothing is active. */
  playback(): Promise<Playback | null>;
  /** Starts a track at its beginning on the active device. */
  play(trackId: string): Promise<void>;
}

/** Why Spotify could not answer: an HTTP status, or 0 where it could not be reached in time. */
export class SpotifyError extends Error {
  readonly status: number;
  /** The player's reason, e.g. NO_ACTIVE_DEVICE. */
  readonly reason: string | null;

  constructor(status: number, text: string, reason: string | null = null) {
    super(`HTTP ${status}: ${text}`);
    this.name = "SpotifyError";
    this.status = status;
    this.reason = reason;
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
