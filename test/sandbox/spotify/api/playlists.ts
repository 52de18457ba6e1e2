/** Playlists, with the old and the new routes. */
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { musicianById, spotifyId, trackById } from "../../catalogue.ts";
import type { Playlist } from "../people.ts";
import type { SpotifyService } from "../service.ts";
import { type ApiContext, type ApiEnv, apiError, jsonBody, missingScope, pageOf } from "./call.ts";
import {
  apiUrl,
  fullPlaylist,
  paging,
  playlistItem,
  simplifiedPlaylist,
  snapshotId,
} from "./objects.ts";

export function playlistRoutes(service: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const { playlists } = service.people;

  function callerId(c: ApiContext): string {
    return c.get("caller").person.musician.id;
  }

  /** The playlist of the path, or the error response if the caller may not see it. */
  function visible(c: ApiContext): Playlist | Response {
    const playlist = playlists.get(c.req.param("id") ?? "");
    if (!playlist || (!playlist.public && playlist.owner !== callerId(c))) {
      return apiError(c, 404, "Resource not found");
    }
    return playlist;
  }

  function listOf(c: ApiContext, owner: string, path: string): Response {
    const slice = pageOf(c);
    if (slice instanceof Response) return slice;
    const { shape, scopes } = c.get("caller");
    const mayReadPrivate = owner === callerId(c) && scopes.includes("playlist-read-private");
    const lists = [...playlists.values()]
      .filter((playlist) => playlist.owner === owner && (playlist.public || mayReadPrivate))
      .map((playlist) => simplifiedPlaylist(shape, playlist));
    return c.json(paging(apiUrl(shape, path), lists, slice));
  }

  function items(c: ApiContext, form: "old" | "both"): Response {
    const playlist = visible(c);
    if (playlist instanceof Response) return playlist;
    if (form === "both" && playlist.owner !== callerId(c)) return apiError(c, 403, "Forbidden");
    const slice = pageOf(c, { maximum: form === "old" ? 100 : 50 });
    if (slice instanceof Response) return slice;
    const { shape } = c.get("caller");
    const path = `playlists/${playlist.id}/${form === "old" ? "tracks" : "items"}`;
    const content = playlist.items.map((item) => playlistItem(shape, playlist, item, form));
    return c.json(paging(apiUrl(shape, path), content, slice));
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
    const playlist: Playlist = {
      id: spotifyId(randomBytes(16).toString("hex")),
      owner: callerId(c),
      name: body.name,
      description: typeof body.description === "string" ? body.description : "",
      public: isPublic,
      collaborative: body.collaborative === true,
      items: [],
      revision: 1,
    };
    playlists.set(playlist.id, playlist);
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
    if (playlist.owner !== callerId(c)) {
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
    return c.json(fullPlaylist(c.get("caller").shape, playlist, playlist.owner === callerId(c)));
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
