/** Playlists, with the old and the new routes. */
import { Hono } from "hono";
import { musicianById, trackById } from "../../catalogue.ts";
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

/** A playlist takes no more items than this. */
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
    if (!playlist || (!playlist.public && !isOn(playlist, callerId(c)))) {
      return apiError(c, 404, "Resource not found");
    }
    return playlist;
  }

  /** The musician's own playlists and those that they follow, as far as the caller may see them. */

  function listOf(c: ApiContext, owner: string, path: string): Response {
    const slice = pageOf(c);
    if (slice instanceof Response) return slice;
    const { shape, scopes } = c.get("caller");
    const isOwn = owner === callerId(c);
    const lists = [...playlists.values()]
      .filter((playlist) => isOn(playlist, owner))
      .filter((playlist) => {
        // Although collaborative ones are never public, the scope for private ones is not enough.
        if (playlist.collaborative) return isOwn && scopes.includes("playlist-read-collaborative");
        return playlist.public || (isOwn && scopes.includes("playlist-read-private"));
      })
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

  async function create(c: ApiContext): Promise<Response> {
    const body = await jsonBody(c);
    if (body instanceof Response) return body;
    const isPublic = body?.public !== false;
    const refusal = missingScope(
      c,
      isPublic ? "playlist-modify-public" : "playlist-modify-private",
    );
    if (refusal) return refusal;
    if (typeof body?.name !== "string" || body.name === "") {
      return apiError(c, 400, "Missing required field: name");
    }
    const playlist = addPlaylist(service.people, {
      owner: callerId(c),
      name: body.name,
      description: typeof body.description === "string" ? body.description : "",
      public: isPublic,
      collaborative: body.collaborative === true,
    });
    service.context.store.changed();
    return c.json(fullPlaylist(c.get("caller").shape, playlist, true), 201);
  }

  async function add(c: ApiContext): Promise<Response> {
    const playlist = visible(c);
    if (playlist instanceof Response) return playlist;
    const refusal = missingScope(
      c,
      playlist.public ? "playlist-modify-public" : "playlist-modify-private",
    );
    if (refusal) return refusal;
    if (!mayChange(playlist, callerId(c))) {
      return apiError(c, 403, "You cannot add tracks to a playlist you don't own.");
    }
    const body = await jsonBody(c);
    if (body instanceof Response) return body;
    const inBody = Array.isArray(body?.uris) ? body.uris.map(String) : [];
    const uris = c.req.query("uris")?.split(",").filter(Boolean) ?? inBody;
    if (uris.length === 0) return apiError(c, 400, "No uris provided");
    if (uris.length > 100) {
      return apiError(c, 400, "You can add a maximum of 100 tracks per request.");
    }
    const ids = uris.map((uri) => /^spotify:track:([0-9A-Za-z]{22})$/.exec(uri.trim())?.[1]);
    const bad = ids.findIndex((id) => id === undefined || !trackById.has(id));
    if (bad >= 0) return apiError(c, 400, `Invalid track uri: ${uris[bad]}`);
    if (playlist.items.length + ids.length > MAX_ITEMS) {
      return apiError(c, 400, "Playlist size limit reached");
    }
    const at = Number(c.req.query("position") ?? body?.position ?? playlist.items.length);
    const addedAt = service.context.now();
    playlist.items.splice(at, 0, ...ids.map((id) => ({ trackId: id ?? "", addedAt })));
    playlist.revision += 1;
    service.context.store.changed();
    return c.json({ snapshot_id: snapshotId(playlist) }, 201);
  }

  app.get(
    "/me/playlists",
    (c) => missingScope(c, "playlist-read-private") ?? listOf(c, callerId(c), "me/playlists"),
  );
  app.post("/me/playlists", create);
  app.get("/users/:id/playlists", (c) => {
    const id = c.req.param("id");
    if (!musicianById.has(id)) return apiError(c, 404, "Resource not found");
    return listOf(c, id, `users/${id}/playlists`);
  });
  app.post("/users/:id/playlists", (c) =>
    c.req.param("id") === callerId(c)
      ? create(c)
      : apiError(c, 403, "You cannot create a playlist for another user."),
  );

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

/** Whether the playlist is among those of the musician. */
function isOn({ owner, followers }: Playlist, musician: string): boolean {
  return owner === musician || followers.includes(musician);
}

function mayChange(playlist: Playlist, musician: string): boolean {
  return playlist.owner === musician || (playlist.collaborative && isOn(playlist, musician));
}
