/** Tracks, albums, artists, profiles and the search. */
import { Hono } from "hono";
import {
  albumById,
  albums,
  artistById,
  artists,
  type CatalogueTrack,
  musicianById,
  trackById,
} from "../../catalogue.ts";
import { type ApiContext, type ApiEnv, apiError, pageOf } from "./call.ts";
import {
  apiUrl,
  fullAlbum,
  fullArtist,
  fullTrack,
  paging,
  privateUser,
  publicUser,
  simplifiedAlbum,
  simplifiedTrack,
  tracksOf,
} from "./objects.ts";
import { found, searchTracks } from "./search-query.ts";

const ID = /^[0-9A-Za-z]{22}$/;

export function catalogueRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get("/me", (c) => {
    const { shape, person, scopes } = c.get("caller");
    return c.json(privateUser(shape, person.musician, scopes));
  });

  app.get("/users/:id", (c) => {
    const musician = musicianById.get(c.req.param("id"));
    if (!musician) return apiError(c, 404, "Resource not found");
    return c.json(publicUser(c.get("caller").shape, musician));
  });

  app.get("/tracks/:id", (c) => {
    const track = lookUp(c, trackById);
    if (track instanceof Response) return track;
    return c.json(inMarket(c, track));
  });
  app.get("/tracks", (c) =>
    several(c, "tracks", (id) => {
      const track = trackById.get(id);
      return track ? inMarket(c, track) : null;
    }),
  );

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

/** With a market named, the track that is available there stands in (track relinking). */
function inMarket(c: ApiContext, track: CatalogueTrack): Record<string, unknown> {
  const { shape } = c.get("caller");
  const twin = c.req.query("market") ? trackById.get(track.relinkedTo ?? "") : undefined;
  return fullTrack(shape, twin ?? track, track);
}

function lookUp<T>(c: ApiContext, map: ReadonlyMap<string, T>): T | Response {
  const id = c.req.param("id") ?? "";
  if (!ID.test(id)) return apiError(c, 400, "Invalid base62 id");
  return map.get(id) ?? apiError(c, 404, "Resource not found");
}

function several(
  c: ApiContext,
  name: string,
  one: (id: string) => Record<string, unknown> | null,
): Response {
  const ids = (c.req.query("ids") ?? "").split(",").filter(Boolean);
  if (ids.length === 0 || ids.length > 50) return apiError(c, 400, "Invalid number of ids");
  return c.json({ [name]: ids.map(one) });
}

/** GET /search for tracks, albums and artists; playlists come from `playlistsNamed`. */
export function searchRoute(
  c: ApiContext,
  playlistsNamed: (query: string) => Record<string, unknown>[],
): Response {
  const { shape, mode } = c.get("caller");
  const q = c.req.query("q") ?? "";
  const types = (c.req.query("type") ?? "").split(",").filter(Boolean);
  if (q.trim() === "") return apiError(c, 400, "No search query");
  if (types.length === 0) return apiError(c, 400, "Missing parameter type");
  const slice = pageOf(
    c,
    mode === "development"
      ? { maximum: 10, standard: 5, lastOffset: 1_000 }
      : { maximum: 50, standard: 20, lastOffset: 1_000 },
  );
  if (slice instanceof Response) return slice;
  const answer: Record<string, unknown> = {};
  for (const type of types) {
    const url = new URL(apiUrl(shape, "search"));
    url.searchParams.set("query", q);
    url.searchParams.set("type", type);
    const page = <T>(all: T[], json: (one: T) => Record<string, unknown>) => {
      answer[`${type}s`] = paging(url.href, all.map(json), slice);
    };
    if (type === "track") page(searchTracks(q), (track) => fullTrack(shape, track));
    else if (type === "playlist") page(playlistsNamed(q), (playlist) => playlist);
    else if (type === "artist") {
      page(
        artists.filter((artist) => found(q, artist.name)),
        (artist) => fullArtist(shape, artist),
      );
    } else if (type === "album") {
      page(
        albums.filter((album) => found(q, album.name)),
        (album) => simplifiedAlbum(shape, album),
      );
    } else if (["show", "episode", "audiobook"].includes(type)) page([], () => ({}));
    else return apiError(c, 400, `Bad search type field ${type}`);
  }
  return c.json(answer);
}
