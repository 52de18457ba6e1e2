import type * as z from "zod";
import { type Caller, fetchAs } from "~/adapters/caller";
import { logEvent } from "~/platform/log";
import { answers } from "./answers";
import { spotifyTimeoutMs } from "./http";
import { type CallRoutes, type LegacyCalls, withLegacyFallback } from "./legacy-fallback";
import { withShownPictures } from "./pictures";
import { type ApiCall, createApiCall, type RequestState } from "./requests";
import { type FoundTrack, type Spotify, SpotifyError } from "./spotify";

/** How long rate limits may delay a page in all; beyond that the user is told instead. */
const maxWaitMs = 5000;
/** The most entries that Spotify puts on a page of search results, and of any other list. */
const searchLimit = "10";
const listLimit = "50";
/** The most items that Spotify adds to a playlist in one request. */
const maxItemsPerRequest = 100;
const fallbackCover = "/cover-fallback.svg";

export interface SpotifyOptions {
  /** Without a slash at the end. */
  apiUrl: string;
  caller: Caller;
  /** What the links to Spotify's own pages begin with, without a slash at the end. */
  openUrl: string;
  /** Space-separated origins that covers and avatars come from. */
  imageOrigins: string;
  /** The app that the user logged in through, which decides what routes there are. */
  clientId: string;
  /**
   * An access token; a new one where Spotify has refused the last. May throw SpotifyLoginEnded.
   */
  accessToken(refused: boolean): Promise<string>;
  requestState: RequestState;
  legacyCalls: LegacyCalls;
  /** The longest time that rate limits may delay a call in all, in milliseconds; by default five seconds. */
  maxWaitMs?: number;
  /** Epoch milliseconds. */
  now(): number;
}

/** Spotify's Web API over HTTP. */
export function createSpotify(options: SpotifyOptions): Spotify {
  const send = createApiCall({
    apiUrl: options.apiUrl,
    fetch: fetchAs(options.caller),
    now: options.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    token: options.accessToken,
    state: options.requestState,
    maxWaitMs: options.maxWaitMs ?? maxWaitMs,
    timeoutMs: spotifyTimeoutMs,
  });
  const call: ApiCall = async (request) => {
    try {
      return await send(request);
    } catch (error) {
      if (error instanceof SpotifyError && error.outage) {
        const { status, reason } = error;
        logEvent("spotify_unavailable", { status, ...(reason ? { reason } : {}) });
      }
      throw error;
    }
  };
  const read: Read = (schema, answer) => {
    const parsed = schema.safeParse(answer);
    if (parsed.success) {
      const { data } = parsed;
      if (Array.isArray(data)) return data.filter(linksToSpotify).map(shown) as typeof data;
      if (linksToSpotify(data)) return shown(data);
    }
    // So that another try does not get the same answer from the cache.
    options.requestState.answers.clear();
    throw new SpotifyError(502, "Spotify's answer could not be read");
  };
  const shown = <T>(item: T) => withShownPictures(item, options.imageOrigins);
  /** Something with a link that leads elsewhere counts as unreadable: the link would be on our pages. */
  function linksToSpotify(item: unknown): boolean {
    if (typeof item !== "object" || item === null || !("spotifyUrl" in item)) return true;
    return String(item.spotifyUrl).startsWith(`${options.openUrl}/`);
  }
  const withFallback: WithFallback = (name, routes) =>
    withLegacyFallback(options.legacyCalls, `${options.clientId} ${name}`, routes);
  return {
    ...catalogueCalls(call, read),
    ...playerCalls(call, read, (track) => (linksToSpotify(track) ? shown(track) : null)),
    ...libraryCalls(call, read, withFallback),
  };
}

type Read = <T>(schema: z.ZodType<T>, answer: unknown) => T;

function catalogueCalls(call: ApiCall, read: Read) {
  async function searchTracks(q: string) {
    const query = { type: "track", q, limit: searchLimit };
    return read(answers.search, await call({ path: "/v1/search", query }));
  }
  async function entry(kind: "albums" | "artists", id: string) {
    const path = `/v1/${kind}/${encodeURIComponent(id)}`;
    return orNull(async () => read(answers.entry, await call({ path })));
  }

  return {
    searchTracks,
    searchAlbumTracks: (album, artist) => searchTracks(`album:${album} artist:${artist}`),
    async searchPlaylists(term) {
      const query = { type: "playlist", q: term, limit: searchLimit };
      return read(answers.playlistSearch, await call({ path: "/v1/search", query }));
    },
    async track(trackId) {
      const path = `/v1/tracks/${encodeURIComponent(trackId)}`;
      return orNull(async () => read(answers.track, await call({ path })));
    },
    album: (albumId) => entry("albums", albumId),
    async albumImage(albumId) {
      try {
        return (await entry("albums", albumId))?.imageUrl ?? fallbackCover;
      } catch (error) {
        if (error instanceof SpotifyError) return fallbackCover;
        throw error;
      }
    },
    async albumTracks(albumId) {
      const path = `/v1/albums/${encodeURIComponent(albumId)}/tracks`;
      return read(answers.albumTracks, await call({ path, query: { limit: listLimit } }));
    },
    artist: (artistId) => entry("artists", artistId),
  } satisfies Partial<Spotify>;
}

function playerCalls(
  call: ApiCall,
  read: Read,
  checked: (track: FoundTrack | null) => FoundTrack | null,
) {
  /** A stale or late answer about what plays is useless, so take none and never wait. */
  const current = { fresh: true, maxWaitMs: 0 };

  return {
    async playback() {
      const answer = await call({ path: "/v1/me/player", ...current });
      if (answer === null) return null;
      const playback = read(answers.devicePlayback, answer);
      return { ...playback, track: checked(playback.track) };
    },
    async currentlyPlaying() {
      const answer = await call({ path: "/v1/me/player/currently-playing", ...current });
      return answer === null ? null : read(answers.playback, answer);
    },
    async play(trackId, deviceId) {
      const body = { uris: [trackUri(trackId)], position_ms: 0 };
      await call({ method: "PUT", path: "/v1/me/player/play", ...onDevice(deviceId), body });
    },
    async pause(deviceId) {
      const path = "/v1/me/player/pause";
      await call({ method: "PUT", path, ...onDevice(deviceId), maxWaitMs: 0 });
    },
  } satisfies Partial<Spotify>;
}

/** Makes a call by the route that the user's app has. */
type WithFallback = (name: string, routes: CallRoutes<unknown>) => Promise<unknown>;

/** Calls about the user's own things, most of whose routes Spotify has changed. */
function libraryCalls(call: ApiCall, read: Read, withFallback: WithFallback) {
  /** The path that legacy routes share. It needs the `id`, even where there is an `account_id`. */
  async function legacyPlaylistsPath() {
    const id = read(answers.userId, await call({ path: "/v1/me" }));
    return `/v1/users/${encodeURIComponent(id)}/playlists`;
  }
  async function createPlaylist(name: string): Promise<string> {
    const post = { method: "POST", body: { name } } as const;
    const created = await withFallback("create playlist", {
      current: () => call({ ...post, path: "/v1/me/playlists" }),
      legacy: async () => call({ ...post, path: await legacyPlaylistsPath() }),
    });
    return read(answers.created, created);
  }
  async function addItems(playlistId: string, uris: string[]): Promise<void> {
    const post = { method: "POST", body: { uris } } as const;
    const path = `/v1/playlists/${encodeURIComponent(playlistId)}`;
    await withFallback("add items", {
      current: () => call({ ...post, path: `${path}/items` }),
      legacy: () => call({ ...post, path: `${path}/tracks` }),
    });
  }

  return {
    profile: async () => read(answers.profile, await call({ path: "/v1/me" })),
    async playlists() {
      const query = { limit: listLimit };
      const found = await withFallback("playlists", {
        current: () => call({ path: "/v1/me/playlists", query }),
        legacy: async () => call({ path: await legacyPlaylistsPath(), query }),
      });
      return read(answers.playlists, found);
    },
    async playlistTracks(playlistId) {
      const query = { limit: listLimit };
      const path = `/v1/playlists/${encodeURIComponent(playlistId)}`;
      const found = await withFallback("items", {
        current: () => call({ path: `${path}/items`, query }),
        legacy: () => call({ path: `${path}/tracks`, query }),
      });
      return read(answers.playlistTracks, found);
    },
    async saveTrack(trackId) {
      const uris = trackUri(trackId);
      await withFallback("save", {
        current: () => call({ method: "PUT", path: "/v1/me/library", query: { uris } }),
        // Spotify's description takes the ids in the body; in the query they are deprecated.
        legacy: () => call({ method: "PUT", path: "/v1/me/tracks", body: { ids: [trackId] } }),
      });
    },
    async savePlaylist(name, trackIds) {
      const uris = trackIds.map(trackUri);
      if (name.trim() === "" || uris.length === 0) return null;
      const playlistId = await createPlaylist(name.trim());
      for (let from = 0; from < uris.length; from += maxItemsPerRequest) {
        await addItems(playlistId, uris.slice(from, from + maxItemsPerRequest));
      }
      return playlistId;
    },
  } satisfies Partial<Spotify>;
}

function trackUri(trackId: string): string {
  return `spotify:track:${trackId}`;
}

function onDevice(deviceId: string | undefined) {
  return deviceId ? { query: { device_id: deviceId } } : {};
}

/** The result of a call for one item, or null where no item has that id. */
async function orNull<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof SpotifyError && [400, 404].includes(error.status)) return null;
    throw error;
  }
}
