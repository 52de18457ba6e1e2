import type { Track } from "~/sources/song";
import { isSameTrack } from "~/sources/song";
import { answers, type Read } from "./answers";
import type { WithFallback } from "./legacy-fallback";
import type { ApiCall } from "./requests";
import { type AddOutcome, lacksPermission, SpotifyError } from "./spotify";

const pageSize = 50;
const maxLastPages = 5;
const maxItems = 10_000;

const heldTrack = "id,linked_from(id),external_ids(isrc)";
const itemFields = `total,items(item(${heldTrack}),track(${heldTrack}))`;
const factFields = "collaborative,owner(id),items(total),tracks(total)";

export function playlistCalls(call: ApiCall, read: Read, withFallback: WithFallback) {
  async function userId(): Promise<string> {
    return read(answers.userId, await call({ path: "/v1/me" }));
  }
  /** Legacy routes need the `id`, even where there is an `account_id`. */
  async function legacyPlaylistsPath(): Promise<string> {
    return `/v1/users/${encodeURIComponent(await userId())}/playlists`;
  }
  async function items(playlistId: string, offset: number): Promise<unknown> {
    const query = { fields: itemFields, limit: String(pageSize), offset: String(offset) };
    const path = pathOf(playlistId);
    return withFallback("items", {
      current: () => call({ path: `${path}/items`, query, fresh: true }),
      legacy: () => call({ path: `${path}/tracks`, query, fresh: true }),
    });
  }
  async function factsOf(playlistId: string) {
    const query = { fields: factFields };
    const [ownId, answer] = await Promise.all([
      userId(),
      call({ path: pathOf(playlistId), query, fresh: true }),
    ]);
    const { ownerId, ...facts } = read(answers.playlistFacts, answer);
    return { ...facts, isOwn: ownerId === ownId };
  }
  /** Older apps can read everybody's public playlists, but not add to them. */
  async function mayAddTo(playlistId: string): Promise<boolean> {
    const { isOwn, collaborative } = await factsOf(playlistId);
    return isOwn || collaborative;
  }
  /** The error does not say why Spotify has refused to add to a playlist. Null where the playlist does not, either. */
  async function causeOfFailure(playlistId: string): Promise<Exclude<AddOutcome, "added"> | null> {
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
    /** Leaves out playlists that the user may not add to, so a page may be empty although another follows. */
    async ownPlaylists(offset: number) {
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
    /** Creates an empty private playlist, and returns its id. */
    async createPlaylist(name: string) {
      const post = { method: "POST", body: { name, public: false } } as const;
      const created = await withFallback("create playlist", {
        current: () => call({ ...post, path: "/v1/me/playlists" }),
        legacy: async () => call({ ...post, path: await legacyPlaylistsPath() }),
      });
      return read(answers.created, created);
    },
    /**
     * Of a long playlist it reads only the first fifty entries and the last two hundred or more. False where
     * the playlist cannot be read or added to; adding to it then tells why.
     */
    async playlistHolds(
      playlistId: string,
      track: Pick<Track, "trackId" | "isrc">,
    ): Promise<boolean> {
      const holdsTrack = (page: unknown) =>
        read(answers.playlistItems, page).some((item) => isSameTrack(item, track));
      const first = await items(playlistId, 0).catch((error) => {
        const isUnreadable = error instanceof SpotifyError && [403, 404].includes(error.status);
        if (isUnreadable && !lacksPermission(error)) return null;
        throw error;
      });
      if (first === null) return false;
      if (holdsTrack(first)) return mayAddTo(playlistId);
      const total = read(answers.total, first);
      const offsets = Array.from(
        { length: Math.max(0, Math.ceil(total / pageSize) - 1) },
        (_, page) => (page + 1) * pageSize,
      );
      const last = offsets.slice(-maxLastPages);
      const pages = await Promise.all(last.map((offset) => items(playlistId, offset)));
      return pages.some(holdsTrack) && mayAddTo(playlistId);
    },
    /** Appends a track even if the playlist holds it. After status 0 or 5xx it may or may not be there. */
    async addToPlaylist(playlistId: string, trackId: string): Promise<AddOutcome> {
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
        const cause = await causeOfFailure(playlistId);
        // A 5xx is not explained by the owner, who may have invited the user to the playlist.
        if (cause && (error.status < 500 || cause === "full")) return cause;
        throw error;
      }
    },
  };
}

/** A full playlist answers 400, 403 or 500. After any other outage the track may have been added. */
function mayConcernPlaylist(error: SpotifyError): boolean {
  if (lacksPermission(error)) return false;
  return [400, 403, 404, 410, 500].includes(error.status);
}

function pathOf(playlistId: string): string {
  return `/v1/playlists/${encodeURIComponent(playlistId)}`;
}
