import { type Caller, fetchAs } from "~/platform/caller";
import { logEvent } from "~/platform/log";
import { answers } from "./answers";
import type { Read, WithFallback } from "./calls";
import { spotifyTimeoutMs } from "./http";
import { playbackQuery } from "./json";
import { type LegacyCalls, withLegacyFallback } from "./legacy-fallback";
import { withShownPictures } from "./pictures";
import { playlistCalls } from "./playlist-calls.server";
import { type ApiCall, createApiCall, type RequestState } from "./requests";
import { namesQuery, typedQuery } from "./search-query";
import { type FoundTrack, type ListPage, pageLengths, type Spotify, SpotifyError } from "./spotify";

/** Maximum delay of a page by rate limits in all; beyond that the user is told instead. */
const maxWaitMs = 5000;

export interface SpotifyOptions {
  /** Without a slash at the end. */
  apiUrl: string;
  caller: Caller;
  /** Base address of Spotify's own pages, without a slash at the end. */
  openUrl: string;
  /** Space-separated origins that covers and avatars come from. */
  imageOrigins: string;
  /** The app that the user logged in through: its age decides which routes of Spotify's it has. */
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
      if (Array.isArray(data)) return shownItems(data) as typeof data;
      if (isPage(data)) return { ...data, items: shownItems(data.items) };
      if (linksToSpotify(data)) return shown(data);
    }
    // Another try must not get the same answer from the cache.
    options.requestState.answers.clear();
    throw new SpotifyError(502, "Spotify's answer could not be read");
  };
  const shown = <T>(item: T) => withShownPictures(item, options.imageOrigins);
  const shownItems = (items: unknown[]) => items.filter(linksToSpotify).map(shown);
  /** An item whose link leads elsewhere counts as unreadable, because pages show the link. */
  function linksToSpotify(item: unknown): boolean {
    if (typeof item !== "object" || item === null || !("spotifyUrl" in item)) return true;
    return String(item.spotifyUrl).startsWith(`${options.openUrl}/`);
  }
  const withFallback: WithFallback = (name, routes) =>
    withLegacyFallback(options.legacyCalls, `${options.clientId} ${name}`, routes);
  return {
    ...catalogueCalls(call, read),
    ...playerCalls(call, (track) => (linksToSpotify(track) ? shown(track) : null)),
    ...libraryCalls(call, read, withFallback),
    ...playlistCalls(call, read, withFallback),
  };
}

function isPage(data: unknown): data is ListPage<unknown> {
  return typeof data === "object" && data !== null && "items" in data && "more" in data;
}

/** The part of a query that asks for a page. The first one needs no offset. */
function pageQuery(length: number, page: number): Record<string, string> {
  const offset = page > 1 ? { offset: String((page - 1) * length) } : {};
  return { limit: String(length), ...offset };
}

function catalogueCalls(call: ApiCall, read: Read) {
  async function search(q: string, page = 1) {
    if (q === "") return { items: [], more: false };
    const query = { type: "track", q, ...pageQuery(pageLengths.search, page) };
    return read(answers.search, await call({ path: "/v1/search", query }));
  }

  return {
    searchTracks: (term, page) => search(typedQuery(term), page),
    searchCatalogue: (names, page) => search(namesQuery(names), page),
    async track(trackId) {
      const path = `/v1/tracks/${encodeURIComponent(trackId)}`;
      return orNull(async () => read(answers.track, await call({ path })));
    },
    async album(albumId) {
      const path = `/v1/albums/${encodeURIComponent(albumId)}`;
      return orNull(async () => read(answers.album, await call({ path })));
    },
    async albumTracks(albumId, page = 1) {
      const path = `/v1/albums/${encodeURIComponent(albumId)}/tracks`;
      const query = pageQuery(pageLengths.list, page);
      return orNull(async () => read(answers.albumTracks, await call({ path, query })));
    },
    async artist(artistId) {
      const path = `/v1/artists/${encodeURIComponent(artistId)}`;
      return orNull(async () => read(answers.entry, await call({ path })));
    },
  } satisfies Partial<Spotify>;
}

function playerCalls(call: ApiCall, checked: (track: FoundTrack | null) => FoundTrack | null) {
  /** A stale or late answer about what plays is useless, so take none and never wait. */
  const current = { fresh: true, maxWaitMs: 0 };

  return {
    async playback() {
      const answer = await call({ path: "/v1/me/player", query: playbackQuery, ...current });
      const playback = answers.devicePlayback.parse(answer);
      return playback && { ...playback, track: checked(playback.track) };
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

/** Calls about the user's own things, most of whose routes Spotify has changed. */
function libraryCalls(call: ApiCall, read: Read, withFallback: WithFallback) {
  return {
    profile: async () => read(answers.profile, await call({ path: "/v1/me" })),
    async saveTrack(trackId) {
      const uris = trackUri(trackId);
      await withFallback("save", {
        current: () => call({ method: "PUT", path: "/v1/me/library", query: { uris } }),
        // Spotify's description takes the ids in the body; in the query they are deprecated.
        legacy: () => call({ method: "PUT", path: "/v1/me/tracks", body: { ids: [trackId] } }),
      });
    },
    async unsaveTrack(trackId) {
      const uris = trackUri(trackId);
      await withFallback("unsave", {
        current: () => call({ method: "DELETE", path: "/v1/me/library", query: { uris } }),
        legacy: () => call({ method: "DELETE", path: "/v1/me/tracks", query: { ids: trackId } }),
      });
    },
    async savedTracks(trackIds) {
      const [uris, ids] = [trackIds.map(trackUri).join(","), trackIds.join(",")];
      const found = await withFallback("saved", {
        current: () => call({ path: "/v1/me/library/contains", query: { uris }, maxWaitMs: 0 }),
        legacy: () => call({ path: "/v1/me/tracks/contains", query: { ids }, maxWaitMs: 0 }),
      });
      const areSaved = read(answers.areSaved, found);
      return trackIds.filter((_id, at) => areSaved[at]);
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
    if (error instanceof SpotifyError && saysNoSuchId(error)) return null;
    throw error;
  }
}

/**
 * Checks whether Spotify says that nothing has an id: by a 404, or, if nothing could have it, by a 400
 * that says "Invalid base62 id" or "invalid id". Other 400s find fault with the request.
 */
function saysNoSuchId({ status, message }: SpotifyError): boolean {
  return status === 404 || (status === 400 && /\binvalid (base62 )?id$/i.test(message));
}
