import { type Caller, fetchAs } from "~/platform/caller";
import { logEvent } from "~/platform/log";
import type { FoundTrack, ListedTrack } from "~/sources/catalogue";
import { answers, type Read, refusedTrack, withShownPictures } from "./answers";
import { spotifyTimeoutMs } from "./http";
import { playbackQuery } from "./json";
import { type LegacyCalls, type WithFallback, withLegacyFallback } from "./legacy-fallback";
import { playlistCalls } from "./playlist-calls.server";
import { type ApiCall, createApiCall, type RequestState } from "./requests";
import { type ListPage, pageLengths, SpotifyError } from "./spotify";

/** Rate limits delay a page by this much at most; then the user is told instead. */
const maxWaitMs = 5000;

export interface SpotifyOptions {
  apiUrl: string;
  caller: Caller;
  openUrl: string;
  imageOrigins: string;
  /** The app's age decides which routes of Spotify's it has. */
  clientId: string;
  /** Returns a new token where Spotify has refused the last. May throw SpotifyLoginEnded. */
  accessToken(refused: boolean): Promise<string>;
  requestState: RequestState;
  legacyCalls: LegacyCalls;
  /** Rate limits may delay a call by this much in all; five seconds by default. */
  maxWaitMs?: number;
  now(): number;
}

/**
 * Spotify's Web API for one user. Every call may throw a SpotifyError. Lists are pages as long as Spotify
 * allows (`pageLengths`), counted from 1. They leave out entries that cannot be read, and searches leave out
 * those that cannot be played. The calls about playlists need a permission that the login does not ask for;
 * without it they throw an error that `lacksPermission` recognizes.
 */
export type Spotify = ReturnType<typeof createSpotify>;

export function createSpotify(options: SpotifyOptions) {
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
    ...catalogueCalls(call, read, options.openUrl),
    ...playerCalls(call, (track) => (linksToSpotify(track) ? shown(track) : null)),
    ...libraryCalls(call, read, withFallback),
    ...playlistCalls(call, read, withFallback),
  };
}

function isPage(data: unknown): data is ListPage<unknown> {
  return typeof data === "object" && data !== null && "items" in data && "more" in data;
}

function pageQuery(length: number, page: number): Record<string, string> {
  const offset = page > 1 ? { offset: String((page - 1) * length) } : {};
  return { limit: String(length), ...offset };
}

function catalogueCalls(call: ApiCall, read: Read, openUrl: string) {
  async function search(q: string, page = 1): Promise<ListPage<ListedTrack>> {
    if (q === "") return { items: [], more: false };
    const query = { type: "track", q, ...pageQuery(pageLengths.search, page) };
    return read(answers.search, await call({ path: "/v1/search", query }));
  }

  return {
    searchTracks: (term: string, page?: number) => search(typedQuery(term), page),
    /** Tracks of artists with that name; on albums with that name, unless it is null. Long names are cut. */
    searchCatalogue: (names: CatalogueNames, page?: number) => search(namesQuery(names), page),
    /** Null where no track has that id, and so with albums and artists. A refusal may describe no track. */
    async track(trackId: string) {
      const path = `/v1/tracks/${encodeURIComponent(trackId)}`;
      return orNull(async () => {
        const answer = await call({ path });
        try {
          return read(answers.track, answer);
        } catch (error) {
          if (!answers.refusal.safeParse(answer).success) throw error;
          return refusedTrack(trackId, `${openUrl}/track/${trackId}`);
        }
      });
    },
    async album(albumId: string) {
      const path = `/v1/albums/${encodeURIComponent(albumId)}`;
      return orNull(async () => read(answers.album, await call({ path })));
    },
    async albumTracks(albumId: string, page = 1) {
      const path = `/v1/albums/${encodeURIComponent(albumId)}/tracks`;
      const query = pageQuery(pageLengths.list, page);
      return orNull(async () => read(answers.albumTracks, await call({ path, query })));
    },
    async artist(artistId: string) {
      const path = `/v1/artists/${encodeURIComponent(artistId)}`;
      return orNull(async () => read(answers.entry, await call({ path })));
    },
  };
}

function playerCalls(call: ApiCall, checked: (track: FoundTrack | null) => FoundTrack | null) {
  /** A stale or late answer about what plays is useless, so take none and never wait. */
  const current = { fresh: true, maxWaitMs: 0 };

  return {
    /** Null where Spotify does not tell what plays, "private" where it says why. Never waits out a 429. */
    async playback() {
      const answer = await call({ path: "/v1/me/player", query: playbackQuery, ...current });
      const playback = answers.devicePlayback.parse(answer);
      if (playback === null || playback === "private") return playback;
      return { ...playback, track: checked(playback.track) };
    },
    /** Starts at the beginning, on the given device or else on the active one. */
    async play(trackId: string, deviceId?: string) {
      const body = { uris: [trackUri(trackId)], position_ms: 0 };
      await call({ method: "PUT", path: "/v1/me/player/play", ...onDevice(deviceId), body });
    },
    /** Never waits out a 429. */
    async pause(deviceId?: string) {
      const path = "/v1/me/player/pause";
      await call({ method: "PUT", path, ...onDevice(deviceId), maxWaitMs: 0 });
    },
  };
}

function libraryCalls(call: ApiCall, read: Read, withFallback: WithFallback) {
  return {
    profile: async () => read(answers.profile, await call({ path: "/v1/me" })),
    async saveTrack(trackId: string) {
      const uris = trackUri(trackId);
      await withFallback("save", {
        current: () => call({ method: "PUT", path: "/v1/me/library", query: { uris } }),
        // Spotify's description takes the ids in the body; in the query they are deprecated.
        legacy: () => call({ method: "PUT", path: "/v1/me/tracks", body: { ids: [trackId] } }),
      });
    },
    async unsaveTrack(trackId: string) {
      const uris = trackUri(trackId);
      await withFallback("unsave", {
        current: () => call({ method: "DELETE", path: "/v1/me/library", query: { uris } }),
        legacy: () => call({ method: "DELETE", path: "/v1/me/tracks", query: { ids: trackId } }),
      });
    },
    /** Those of at most 40 tracks that are in the user's library. Never waits out a 429. */
    async savedTracks(trackIds: string[]) {
      const [uris, ids] = [trackIds.map(trackUri).join(","), trackIds.join(",")];
      const found = await withFallback("saved", {
        current: () => call({ path: "/v1/me/library/contains", query: { uris }, maxWaitMs: 0 }),
        legacy: () => call({ path: "/v1/me/tracks/contains", query: { ids }, maxWaitMs: 0 }),
      });
      const areSaved = read(answers.areSaved, found);
      return trackIds.filter((_id, index) => areSaved[index]);
    },
  };
}

function trackUri(trackId: string): string {
  return `spotify:track:${trackId}`;
}

function onDevice(deviceId: string | undefined) {
  return deviceId ? { query: { device_id: deviceId } } : {};
}

async function orNull<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof SpotifyError && saysNoSuchId(error)) return null;
    throw error;
  }
}

/** An id that nothing could have gets a 400 that says so. Other 400s find fault with the request. */
function saysNoSuchId({ status, message }: SpotifyError): boolean {
  return status === 404 || (status === 400 && /\binvalid (base62 )?id$/i.test(message));
}

/** Spotify's search takes no longer query, filters included. */
const maxQueryLength = 250;
const maxNameLength = 110;

/** What somebody has typed may have filters of Spotify's in it. */
export function typedQuery(text: string): string {
  const typed = text.trim();
  const query = cut(typed, maxQueryLength);
  const quotes = query.split('"').length - 1;
  // The cut may have taken the end of a quotation.
  return query !== typed && quotes % 2 === 1 ? query.replace(/"(?=[^"]*$)/, "") : query;
}

interface CatalogueNames {
  artist: string;
  album: string | null;
}

export function namesQuery({ artist, album }: CatalogueNames): string {
  return Object.entries({ album, artist })
    .flatMap(([field, name]) => {
      // These characters would end the quotation, or begin another filter.
      const words = name?.replace(/["\\:\p{Cc}\s]+/gu, " ").trim() ?? "";
      return words ? [`${field}:"${cut(words, maxNameLength)}"`] : [];
    })
    .join(" ");
}

/** Cuts after the last word that fits, or within a first word that does not. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const [words] = /^.*\S(?=\s)/su.exec(text.slice(0, maxLength + 1)) ?? [];
  return words ?? text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}
