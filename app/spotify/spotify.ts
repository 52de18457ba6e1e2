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

/** A playlist of the user's own, or one that they may add to. */
export interface OwnPlaylist {
  id: string;
  name: string;
  /** Absolute URL of the largest picture, or null where Spotify has none. */
  imageUrl: string | null;
  /** The smaller ones by their width, as a track has them. */
  smallerArt: Track["smallerArt"];
  /** Its page at Spotify. */
  spotifyUrl: string;
  /** Number of songs in it; null where Spotify does not say. */
  trackCount: number | null;
}

export interface PlaylistPage {
  playlists: OwnPlaylist[];
  /** Start of the next page; null where there is none. */
  nextOffset: number | null;
}

/**
 * Outcome of adding a track to a playlist: "full" where the playlist takes no more, "gone" where there is
 * none (any more), "not yours" where it is somebody else's who does not let the user add to it.
 */
export type AddOutcome = "added" | "full" | "gone" | "not yours";

/** An album or an artist, as far as the product shows it. */
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

/** An album, with its artists as a track has them. */
export type Album = CatalogueEntry & Pick<ListedTrack, "artists" | "artistIds">;

/** A link pasted in the place of a search term. */
export type PastedLink =
  | { kind: "track" | "album" | "artist"; id: string }
  /** A short address, whose target is only known once it was followed. */
  | { kind: "share"; url: string }
  /** Something else at Spotify, in Spotify's word for it, such as playlist. */
  | { kind: "other"; what: string }
  /** A link to another site. */
  | { kind: "foreign" };

/** A pasted link, once every short address in it was followed. */
export type ReadLink = Exclude<PastedLink, { kind: "share" }>;

/**
 * Spotify's Web API for one user. Every call may throw a SpotifyError. Lists are pages as long as Spotify
 * allows (`pageLengths`), and the first one unless a call takes the number of another; pages count from
 * 1. They leave out entries that cannot be read, and those of a search that cannot be played. The calls
 * about playlists need a permission that the login does not ask for: without it they throw an error that
 * `lacksPermission` recognizes.
 */
export interface Spotify {
  /** Tracks for a search term, best match first; none for an empty one. A term that is too long is cut. */
  searchTracks(term: string, page?: number): Promise<ListPage<ListedTrack>>;
  /** Tracks by artists of that name; of albums of that name, unless it is null. Long names are cut. */
  searchCatalogue(
    names: { artist: string; album: string | null },
    page?: number,
  ): Promise<ListPage<ListedTrack>>;
  profile(): Promise<SpotifyProfile>;
  /**
   * One page of the playlists that the user may add to: their own, and collaborative ones. In Spotify's
   * order, the newest first; what else is on the page is left out, so it may be short or even empty
   * although another page follows.
   * @param offset of the first playlist, 0 or a `nextOffset`.
   */
  ownPlaylists(offset: number): Promise<PlaylistPage>;
  /** Creates an empty private playlist. @returns its id. */
  createPlaylist(name: string): Promise<string>;
  /**
   * Checks whether a playlist holds a track, also as a relinked copy. Of a long playlist only the first
   * fifty entries and the last two hundred or more are looked at. False where the playlist cannot be
   * read, or is one that the user may not add to; adding to it then tells why.
   */
  playlistHolds(playlistId: string, track: Pick<Track, "trackId" | "isrc">): Promise<boolean>;
  /**
   * Appends a track to a playlist, also if the playlist holds it already. After a SpotifyError of
   * status 0 or 5xx it may or may not be there.
   */
  addToPlaylist(playlistId: string, trackId: string): Promise<AddOutcome>;
  /** A track, or null where no track has that id. */
  track(trackId: string): Promise<FoundTrack | null>;
  /** An album, or null where no album has that id. */
  album(albumId: string): Promise<Album | null>;
  /** An album's tracks, in its order; null where no album has that id. */
  albumTracks(albumId: string, page?: number): Promise<ListPage<AlbumTrack> | null>;
  /** An artist, or null where no artist has that id. */
  artist(artistId: string): Promise<CatalogueEntry | null>;
  /**
   * Playback on the active device. Null where Spotify does not tell what plays: no device is active, it hides
   * a private session, or its answer names nothing or cannot be read. Never waits out a 429.
   */
  playback(): Promise<DevicePlayback | null>;
  /** Starts a track from its beginning, on the given device or else on the active one. */
  play(trackId: string, deviceId?: string): Promise<void>;
  /** Pauses the given device, or else the active one. Never waits out a 429. */
  pause(deviceId?: string): Promise<void>;
  /** Saves a track to the user's library. Saving it twice is the same as once. */
  saveTrack(trackId: string): Promise<void>;
  /** Takes a track out of the user's library. One that is not in it is no error. */
  unsaveTrack(trackId: string): Promise<void>;
  /** Those of at most 40 tracks that are in the user's library. Never waits out a 429. */
  savedTracks(trackIds: string[]): Promise<string[]>;
}

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
