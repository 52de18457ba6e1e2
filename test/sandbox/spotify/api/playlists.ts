/** Playlists, with the old and the new routes. */
import { Hono } from "hono";
import { trackById } from "../../catalogue.ts";
import { addPlaylist, type Playlist } from "../people.ts";
import type { SpotifyService } from "../service.ts";
import { type ApiContext, type ApiEnv, apiError, jsonBody, missingScope, pageOf } from "./call.ts";
import {
  apiUrl,
  fullPlaylist,
  paging,
  playlistItems,
  simplifiedPlaylist,
  snapshotId,
} from "./objects.ts";
import { selectFields } from "./select-fields.ts";

const MAX_ITEMS = 10_000;

export function playlistRoutes(service: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const { playlists } = service.people;

  function callerId(c: ApiContext): string {
    return c.get("caller").person.musician.id;
  }

  /** The playlist of the path, or the error response if the caller may not see it. */
  function visible(c: ApiContext): Playlist | Response {
    const playlist = playlists.get(c.req.param("id") ?? "");
    return playlist && (playlist.public || isOn(playlist, callerId(c)))
      ? playlist
      : apiError(c, 404, "Resource not found");
  }

  /** The caller's own playlists and those that they follow, as far as the token may see them. */
  function list(c: ApiContext, path: string): Response {
    const slice = pageOf(c);
    if (slice instanceof Response) return slice;
    const { shape, scopes } = c.get("caller");
    const lists = [...playlists.values()]
      .filter((playlist) => isOn(playlist, callerId(c)))
      // Although collaborative ones are never public, the scope for private ones is not enough.
      .filter((playlist) =>
        playlist.collaborative
          ? scopes.includes("playlist-read-collaborative")
          : playlist.public || scopes.includes("playlist-read-private"),
      )
      .reverse()
      .map((playlist) => simplifiedPlaylist(shape, playlist));
    return c.json(paging(apiUrl(shape, path), lists, slice));
  }

  function items(c: ApiContext, form: "old" | "both"): Response {
    const playlist = visible(c);
    if (playlist instanceof Response) return playlist;
    if (form === "both" && !mayChange(playlist, callerId(c))) return apiError(c, 403, "Forbidden");
    const slice = pageOf(c, { maximum: form === "old" ? 100 : 50 });
    if (slice instanceof Response) return slice;
    const { shape } = c.get("caller");
    const path = `playlists/${playlist.id}/${form === "old" ? "tracks" : "items"}`;
    const content = playlistItems(shape, playlist, { form, url: apiUrl(shape, path), ...slice });
    return c.json(selectFields(content, c.req.query("fields")));
  }

  function missingModifyScope(c: ApiContext, isPublic: boolean): Response | null {
    return missingScope(c, isPublic ? "playlist-modify-public" : "playlist-modify-private");
  }

  async function create(c: ApiContext): Promise<Response> {
    const body = await jsonBody(c);
    const isPublic = body.public !== false;
    const refusal = missingModifyScope(c, isPublic);
    if (refusal) return refusal;
    const playlist = addPlaylist(service.people, {
      owner: callerId(c),
      name: String(body.name),
      description: String(body.description ?? ""),
      public: isPublic,
    });
    service.context.store.changed();
    return c.json(fullPlaylist(c.get("caller").shape, playlist, true), 201);
  }

  async function add(c: ApiContext): Promise<Response> {
    const playlist = visible(c);
    if (playlist instanceof Response) return playlist;
    const refusal = missingModifyScope(c, playlist.public);
    if (refusal) return refusal;
    if (!mayChange(playlist, callerId(c))) {
      return apiError(c, 403, "You cannot add tracks to a playlist you don't own.");
    }
    const { uris } = await jsonBody(c);
    const ids = Array.isArray(uris) ? uris.map((uri) => String(uri).split(":")[2] ?? "") : [];
    if (ids.length === 0 || ids.some((id) => !trackById.has(id))) {
      return apiError(c, 400, "Invalid track uri");
    }
    if (playlist.items.length + ids.length > MAX_ITEMS) {
      return apiError(c, 400, "Playlist size limit reached");
    }
    const addedAt = service.context.now();
    playlist.items.push(...ids.map((trackId) => ({ trackId, addedAt })));
    playlist.revision += 1;
    service.context.store.changed();
    return c.json({ snapshot_id: snapshotId(playlist) }, 201);
  }

  app.get(
    "/me/playlists",
    (c) => missingScope(c, "playlist-read-private") ?? list(c, "me/playlists"),
  );
  app.post("/me/playlists", create);
  app.get("/users/:id/playlists", (c) => list(c, `users/${c.req.param("id")}/playlists`));
  app.post("/users/:id/playlists", create);
  app.get("/playlists/:id", (c) => {
    const playlist = visible(c);
    if (playlist instanceof Response) return playlist;
    const full = fullPlaylist(c.get("caller").shape, playlist, mayChange(playlist, callerId(c)));
    return c.json(selectFields(full, c.req.query("fields")));
  });
  app.get(
    "/playlists/:id/items",
    (c) => missingScope(c, "playlist-read-private") ?? items(c, "both"),
  );
  app.get("/playlists/:id/tracks", (c) => items(c, "old"));
  app.post("/playlists/:id/items", add);
  app.post("/playlists/:id/tracks", add);
  return app;
}

function isOn({ owner, followers }: Playlist, musician: string): boolean {
  return owner === musician || followers.includes(musician);
}

function mayChange(playlist: Playlist, musician: string): boolean {
  return playlist.owner === musician || (playlist.collaborative && isOn(playlist, musician));
}
