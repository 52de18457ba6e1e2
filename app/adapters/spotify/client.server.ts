import type * as z from "zod";
import { logEvent } from "~/platform/log";
import { answers } from "./answers";
import { spotifyTimeoutMs } from "./http";
import { type OldRoutes, withLegacyFallback } from "./old-routes";
import { type ApiCall, createApiCall, type RequestMemory } from "./requests";
import { type Spotify, SpotifyError } from "./spotify";

/** How long a page is kept waiting by a rate limit in all; then the user is told instead. */
const longestWaitMs = 5000;
/** As long as Spotify lets a page of a search, and of any other list, be. */
const searchLimit = "10";
const listLimit = "50";
/** Items that Spotify adds to a playlist at once. */
const mostAdded = 100;

export interface SpotifyParts {
  /** Without a slash at its end. */
  apiUrl: string;
  /** Of the app that the user logged in through; which routes there are depends on it. */
  clientId: string;
  /** A token, another one where Spotify has refused the last; may throw SpotifyLoginEnded. */
  accessToken(refused: boolean): Promise<string>;
  memory: RequestMemory;
  oldRoutes: OldRoutes;
  /** Epoch milliseconds. */
  now(): number;
}

/** Spotify's Web API over HTTP. */
export function createSpotify(parts: SpotifyParts): Spotify {
  const ask = createApiCall({
    apiUrl: parts.apiUrl,
    fetch,
    now: parts.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    token: parts.accessToken,
    memory: parts.memory,
    longestWaitMs,
    timeoutMs: spotifyTimeoutMs,
  });
  const call: ApiCall = async (request) => {
    try {
      return await ask(request);
    } catch (error) {
      if (error instanceof SpotifyError && error.outage) {
        logEvent("spotify_unavailable", { status: error.status });
      }
      throw error;
    }
  };
  function read<T>(reader: z.ZodType<T>, answer: unknown): T {
    const parsed = reader.safeParse(answer);
    if (parsed.success) return parsed.data;
    // Whoever tries again is not to be given the same.
    parts.memory.answers.clear();
    throw new SpotifyError(502, "Spotify's answer could not be read");
  }
  const either: Either = (name, askNew, askOld) =>
    withLegacyFallback(parts.oldRoutes, `${parts.clientId} ${name}`, askNew, askOld);
  return {
    ...catalogueCalls(call, read),
    ...playerCalls(call, read),
    ...libraryCalls(call, read, either),
  };
}

type Read = <T>(reader: z.ZodType<T>, answer: unknown) => T;

function catalogueCalls(call: ApiCall, read: Read) {
  async function searchTracks(q: string) {
    const query = { type: "track", q, limit: searchLimit };
    return read(answers.search, await call({ path: "/v1/search", query }));
  }
  async function entry(kind: "albums" | "artists", id: string) {
    return orNull(async () => read(answers.entry, await call({ path: `/v1/${kind}/${safe(id)}` })));
  }

  return {
    searchTracks,
    searchAlbumTracks: (album, artist) => searchTracks(`album:${album} artist:${artist}`),
    async searchPlaylists(term) {
      const query = { type: "playlist", q: term, limit: searchLimit };
      return read(answers.playlistSearch, await call({ path: "/v1/search", query }));
    },
    track: (trackId) =>
      orNull(async () => read(answers.track, await call({ path: `/v1/tracks/${safe(trackId)}` }))),
    album: (albumId) => entry("albums", albumId),
    async albumImage(albumId) {
      try {
        return (await entry("albums", albumId))?.imageUrl ?? "/cover-fallback.svg";
      } catch (error) {
        if (error instanceof SpotifyError) return "/cover-fallback.svg";
        throw error;
      }
    },
    async albumTracks(albumId) {
      const path = `/v1/albums/${safe(albumId)}/tracks`;
      return read(answers.albumTracks, await call({ path, query: { limit: listLimit } }));
    },
    artist: (artistId) => entry("artists", artistId),
  } satisfies Partial<Spotify>;
}

function playerCalls(call: ApiCall, read: Read) {
  /** Old or late news of what plays is worth nothing: nothing is cached or waited for. */
  const current = { fresh: true, longestWaitMs: 0 };

  return {
    async playback() {
      const answer = await call({ path: "/v1/me/player", ...current });
      return answer === null ? null : read(answers.devicePlayback, answer);
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
      await call({ method: "PUT", path: "/v1/me/player/pause", ...onDevice(deviceId) });
    },
  } satisfies Partial<Spotify>;
}

type Ask = () => Promise<unknown>;
/** Asks by the route that this app has. */
type Either = (name: string, askNew: Ask, askOld: Ask) => Promise<unknown>;

/** What belongs to the user: the calls whose routes Spotify has changed. */
function libraryCalls(call: ApiCall, read: Read, either: Either) {
  /** The old routes want the id, even where the user goes by an account id. */
  async function usersPlaylists() {
    const id = read(answers.userId, await call({ path: "/v1/me" }));
    return `/v1/users/${safe(id)}/playlists`;
  }
  async function createPlaylist(name: string): Promise<string> {
    const post = { method: "POST", body: { name } } as const;
    const created = await either(
      "create playlist",
      () => call({ ...post, path: "/v1/me/playlists" }),
      async () => call({ ...post, path: await usersPlaylists() }),
    );
    return read(answers.created, created);
  }
  async function addItems(playlistId: string, uris: string[]): Promise<void> {
    const post = { method: "POST", body: { uris } } as const;
    const path = `/v1/playlists/${safe(playlistId)}`;
    await either(
      "add items",
      () => call({ ...post, path: `${path}/items` }),
      () => call({ ...post, path: `${path}/tracks` }),
    );
  }

  return {
    profile: async () => read(answers.profile, await call({ path: "/v1/me" })),
    async playlists() {
      const query = { limit: listLimit };
      const found = await either(
        "playlists",
        () => call({ path: "/v1/me/playlists", query }),
        async () => call({ path: await usersPlaylists(), query }),
      );
      return read(answers.playlists, found);
    },
    async playlistTracks(playlistId) {
      const query = { limit: listLimit };
      const path = `/v1/playlists/${safe(playlistId)}`;
      const found = await either(
        "items",
        () => call({ path: `${path}/items`, query }),
        () => call({ path: `${path}/tracks`, query }),
      );
      return read(answers.playlistTracks, found);
    },
    async saveTrack(trackId) {
      await either(
        "save",
        () => call({ method: "PUT", path: "/v1/me/library", query: { uris: trackUri(trackId) } }),
        () => call({ method: "PUT", path: "/v1/me/tracks", query: { ids: trackId } }),
      );
    },
    async savePlaylist(name, trackIds) {
      const uris = trackIds.map(trackUri);
      if (name.trim() === "" || uris.length === 0) return null;
      const playlistId = await createPlaylist(name.trim());
      for (let from = 0; from < uris.length; from += mostAdded) {
        await addItems(playlistId, uris.slice(from, from + mostAdded));
      }
      return playlistId;
    },
  } satisfies Partial<Spotify>;
}

const trackUri = (trackId: string) => `spotify:track:${trackId}`;

/** An id as a segment of a path. */
const safe = encodeURIComponent;

function onDevice(deviceId: string | undefined) {
  return deviceId ? { query: { device_id: deviceId } } : {};
}

/** What was asked for by its id, or null where there is none of that id. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SpotifyError && [400, 404].includes(error.status)) return null;
    throw error;
  }
}
