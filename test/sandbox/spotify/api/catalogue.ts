/** Tracks, albums, artists and profiles. */
import { Hono } from "hono";
import { albumById, artistById, trackById } from "../../catalogue.ts";
import { type ApiContext, type ApiEnv, apiError, pageOf } from "./call.ts";
import {
  apiUrl,
  fullAlbum,
  fullArtist,
  fullTrack,
  paging,
  privateUser,
  simplifiedTrack,
  tracksOf,
} from "./objects.ts";

const ID = /^[0-9A-Za-z]{22}$/;

export function catalogueRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get("/me", (c) => {
    const { shape, person, scopes } = c.get("caller");
    return c.json(privateUser(shape, person, scopes));
  });

  app.get("/tracks/:id", (c) => {
    const track = lookUp(c, trackById);
    if (track instanceof Response) return track;
    const { shape } = c.get("caller");
    if (shape.changes?.get(track.id)?.gone) return apiError(c, 404, "Resource not found");
    return c.json(fullTrack(shape, track));
  });
  app.get("/albums/:id", (c) => {
    const album = lookUp(c, albumById);
    if (album instanceof Response) return album;
    return c.json(fullAlbum(c.get("caller").shape, album));
  });
  app.get("/albums/:id/tracks", (c) => {
    const album = lookUp(c, albumById);
    if (album instanceof Response) return album;
    const slice = pageOf(c);
    if (slice instanceof Response) return slice;
    const { shape } = c.get("caller");
    const content = tracksOf(album).map((track) => simplifiedTrack(shape, track));
    return c.json(paging(apiUrl(shape, `albums/${album.id}/tracks`), content, slice));
  });

  app.get("/artists/:id", (c) => {
    const artist = lookUp(c, artistById);
    if (artist instanceof Response) return artist;
    return c.json(fullArtist(c.get("caller").shape, artist));
  });

  return app;
}

function lookUp<T>(c: ApiContext, map: ReadonlyMap<string, T>): T | Response {
  const id = c.req.param("id") ?? "";
  if (!ID.test(id)) return apiError(c, 400, "Invalid base62 id");
  return map.get(id) ?? apiError(c, 404, "Resource not found");
}
