import type { ListedTrack, Track } from "./track";

/** One page of a list. */
export interface ListPage<T> {
  items: T[];
  /** Another page follows. */
  more: boolean;
}

/** A track that was asked for by its id. */
export interface FoundTrack extends Track {
  /**
   * Spotify plays it where the asking user is. False only if Spotify says so, and not for a
   * reason that lies with the user's own account.
   */
  playable: boolean;
  /** Spotify does not play it to the asking user, whose account hides explicit songs. */
  hidden: boolean;
  /** The fields describe another track, which Spotify plays in the place of this one. */
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
  /** The account is Spotify Premium; null for the same apps. */
  hasPremium: boolean | null;
}

/** The track that Spotify plays, or played last. */
export interface Playback {
  playing: boolean;
  /** Position in the track, in milliseconds; null where Spotify does not tell it. */
  progressMs: number | null;
  /** The ids that the track goes by, at least one: its own and, where it was relinked, the one asked for. */
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
  /** The track that plays; null where it is none, such as an episode, or cannot be read. */
  track: FoundTrack | null;
}

/** A track in an album's list, without what is the same for the whole album. */
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

/**
 * Outcome of adding a track to a playlist: "full" where the playlist takes no more, "gone" where there is
 * none (any more), "not yours" where it is somebody else's who does not let the user add to it.
 */
export type AddOutcome = "added" | "full" | "gone" | "not yours";

/** An album, an artist or a playlist, as far as the product shows it. */
export interface CatalogueEntry {
  id: string;
  name: string;
  /** Absolute URL of the largest picture, or null where Spotify has none. */
  imageUrl: string | null;
  /** The smaller ones by their width, as a track has them. */
  smallerArt: Track["smallerArt"];
  /** Its page at Spotify. */
  spotifyUrl: string;
}

/** A playlist that the user may add to. */
export interface OwnPlaylist extends CatalogueEntry {
  /** Null where Spotify does not say. */
  trackCount: number | null;
}

export type Album = CatalogueEntry & Pick<ListedTrack, "artists" | "artistIds">;

/** A pasted link, once every short address in it was followed. */
export type ReadLink =
  | { kind: "track" | "album" | "artist"; id: string }
  /** Something else at Spotify, in Spotify's word, such as playlist. */
  | { kind: "other"; what: string }
  /** A link to another site. */
  | { kind: "foreign" };

/** Entries on a page of Spotify's search results, and of any other list. */
export const pageLengths = { search: 10, list: 50 } as const;

/** A failed call to Spotify, with its HTTP status, or 0 where Spotify could not be reached in time. */
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

  /** True if Spotify is down, slow or limiting requests, as opposed to refusing this one. */
  get outage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Checks whether Spotify has refused a call for want of a permission, which the user has not given or has
 * taken back.
 */
export function lacksPermission(error: unknown): boolean {
  return (
    error instanceof SpotifyError &&
    error.status === 403 &&
    error.message.includes("Insufficient client scope")
  );
}

/** A login that has no access to Spotify any more: the user has to log in again. */
export class SpotifyLoginEnded extends SpotifyError {
  /** Spotify has ended it, and not the user, elsewhere, or the product. */
  readonly bySpotify: boolean;

  constructor({ bySpotify = true } = {}) {
    super(401, bySpotify ? "Spotify has ended the login" : "The login has ended");
    this.bySpotify = bySpotify;
  }
}

/**
 * Checks whether Spotify plays this track. It may play a relinked copy under another id, so the id, the id
 * asked for or the recording code must agree.
 */
export function isSameTrack(
  playback: Pick<Playback, "trackIds" | "isrc">,
  track: Pick<Track, "trackId" | "isrc">,
): boolean {
  if (playback.trackIds.includes(track.trackId)) return true;
  return track.isrc !== null && playback.isrc === track.isrc;
}
