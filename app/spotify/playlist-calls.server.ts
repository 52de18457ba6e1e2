/** Calls about the user's playlists, by the routes of 2026 and by those that they replaced. */
import { answers } from "./answers";
import type { Read, WithFallback } from "./calls";
import type { ApiCall } from "./requests";
import {
  type AddOutcome,
  isSameTrack,
  lacksPermission,
  type Spotify,
  SpotifyError,
} from "./spotify";

/** Number of playlists, or entries of one, in a request: all that Spotify allows. */
const pageSize = 50;
/** Number of pages read at a playlist's end, beside the first. */
const maxLastPages = 5;
/** Spotify takes no more into a playlist. */
const maxItems = 10_000;

const heldTrack = "id,linked_from(id),external_ids(isrc)";
const itemFields = `total,items(item(${heldTrack}),track(${heldTrack}))`;
const factFields = "collaborative,owner(id),items(total),tracks(total)";

/** The part of the client of one user (`Spotify`, spotify.ts) that is about playlists. */
export function playlistCalls(call: ApiCall, read: Read, withFallback: WithFallback) {
  async function userId(): Promise<string> {
    return read(answers.userId, await call({ path: "/v1/me" }));
  }
  /** The path that legacy routes share. It needs the `id`, even where there is an `account_id`. */
  async function legacyPlaylistsPath(): Promise<string> {
    return `/v1/users/${encodeURIComponent(await userId())}/playlists`;
  }
  /** One page of a playlist's entries. */
  async function items(playlistId: string, offset: number): Promise<unknown> {
    const query = { fields: itemFields, limit: String(pageSize), offset: String(offset) };
    const path = pathOf(playlistId);
    return withFallback("items", {
      current: () => call({ path: `${path}/items`, query, fresh: true }),
      legacy: () => call({ path: `${path}/tracks`, query, fresh: true }),
    });
  }
  /** Owner and length of a playlist. */
  async function factsOf(playlistId: string) {
    const query = { fields: factFields };
    const [ownId, answer] = await Promise.all([
      userId(),
      call({ path: pathOf(playlistId), query, fresh: true }),
    ]);
    const { ownerId, ...facts } = read(answers.playlistFacts, answer);
    return { ...facts, isOwn: ownerId === ownId };
  }
  /** Checks whether the user may add to a playlist: older apps can read everybody's public ones. */
  async function isTheirs(playlistId: string): Promise<boolean> {
    const { isOwn, collaborative } = await factsOf(playlistId);
    return isOwn || collaborative;
  }
  /**
   * Reads from the playlist why Spotify has refused to add to it. The refusal does not tell: a full playlist
   * is refused in several ways, and a route that the app does not have like a playlist that is gone.
   * @returns null where nothing about the playlist explains it.
   */
  async function refusalOf(playlistId: string): Promise<Exclude<AddOutcome, "added"> | null> {
    try {
      const { isOwn, trackCount } = await factsOf(playlistId);
      if (trackCount !== null && trackCount >= maxItems) return "full";
      return isOwn ? null : "not yours";
    } catch (error) {
      if (error instanceof SpotifyError) return error.status === 404 ? "gone" : null;
      throw error;
    }
  }

  return {
    async ownPlaylists(offset) {
      const query = { limit: String(pageSize), offset: String(offset) };
      const [ownId, found] = await Promise.all([
        userId(),
        withFallback("playlists", {
          current: () => call({ path: "/v1/me/playlists", query }),
          legacy: async () => call({ path: await legacyPlaylistsPath(), query }),
        }),
      ]);
      const nextOffset = read(answers.hasNext, found) ? offset + pageSize : null;
      return { playlists: read(answers.ownPlaylists(ownId), found), nextOffset };
    },
    async createPlaylist(name) {
      const post = { method: "POST", body: { name, public: false } } as const;
      const created = await withFallback("create playlist", {
        current: () => call({ ...post, path: "/v1/me/playlists" }),
        legacy: async () => call({ ...post, path: await legacyPlaylistsPath() }),
      });
      return read(answers.created, created);
    },
    async playlistHolds(playlistId, track) {
      const isOn = (page: unknown) =>
        read(answers.playlistItems, page).some((item) => isSameTrack(item, track));
      const first = await items(playlistId, 0).catch((error) => {
        const isUnreadable = error instanceof SpotifyError && [403, 404].includes(error.status);
        if (isUnreadable && !lacksPermission(error)) return null;
        throw error;
      });
      if (first === null) return false;
      if (isOn(first)) return isTheirs(playlistId);
      const total = read(answers.total, first);
      const offsets = Array.from(
        { length: Math.max(0, Math.ceil(total / pageSize) - 1) },
        (_, page) => (page + 1) * pageSize,
      );
      const last = offsets.slice(-maxLastPages);
      const pages = await Promise.all(last.map((offset) => items(playlistId, offset)));
      return pages.some(isOn) && isTheirs(playlistId);
    },
    async addToPlaylist(playlistId, trackId) {
      const post = { method: "POST", body: { uris: [`spotify:track:${trackId}`] } } as const;
      const path = pathOf(playlistId);
      try {
        await withFallback("add items", {
          current: () => call({ ...post, path: `${path}/items` }),
          legacy: () => call({ ...post, path: `${path}/tracks` }),
        });
        return "added";
      } catch (error) {
        if (!(error instanceof SpotifyError) || !mayConcernPlaylist(error)) throw error;
        if (error.message.includes("Playlist size limit reached")) return "full";
        const refusal = await refusalOf(playlistId);
        // A playlist of others' explains no fault: one may be invited to it.
        if (refusal && (error.status < 500 || refusal === "full")) return refusal;
        throw error;
      }
    },
  } satisfies Partial<Spotify>;
}

/**
 * Checks whether Spotify may have refused because of the playlist: a full one answers 400, 403 or 500.
 * After any other outage it may have been added, whatever the playlist is like.
 */
function mayConcernPlaylist(error: SpotifyError): boolean {
  if (lacksPermission(error)) return false;
  return [400, 403, 404, 410, 500].includes(error.status);
}

function pathOf(playlistId: string): string {
  return `/v1/playlists/${encodeURIComponent(playlistId)}`;
}
