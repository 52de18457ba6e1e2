/** The search for tracks, albums, artists and playlists. */
import { Hono } from "hono";
import { albums, artists } from "../../catalogue.ts";
import type { SpotifyService } from "../service.ts";
import { type ApiEnv, apiError, pageOf } from "./call.ts";
import {
  apiUrl,
  fullArtist,
  fullTrack,
  paging,
  simplifiedAlbum,
  simplifiedPlaylist,
} from "./objects.ts";
import { matchesQuery, searchTracks } from "./search-query.ts";

type Json = Record<string, unknown>;

export function searchRoutes({ people }: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get("/search", (c) => {
    const { shape, mode } = c.get("caller");
    const query = c.req.query("q") ?? "";
    const types = (c.req.query("type") ?? "").split(",").filter(Boolean);
    if (query.trim() === "") return apiError(c, 400, "No search query");
    if (query.length > 250) {
      return apiError(c, 400, "Query exceeds maximum length of 250 characters");
    }
    if (types.length === 0) return apiError(c, 400, "Missing parameter type");
    const slice = pageOf(
      c,
      mode === "development"
        ? { maximum: 10, standard: 5, lastOffset: 1_000 }
        : { maximum: 50, standard: 20, lastOffset: 1_000 },
    );
    if (slice instanceof Response) return slice;

    /** Null for an unknown type. */
    function search(type: string): Json[] | null {
      switch (type) {
        case "track":
          return searchTracks(query).map((track) => fullTrack(shape, track));
        case "playlist":
          return [...people.playlists.values()]
            .filter((playlist) => playlist.public && matchesQuery(query, playlist.name))
            .map((playlist) => simplifiedPlaylist(shape, playlist));
        case "artist":
          return artists
            .filter((artist) => matchesQuery(query, artist.name))
            .map((artist) => fullArtist(shape, artist));
        case "album":
          return albums
            .filter((album) => matchesQuery(query, album.name))
            .map((album) => simplifiedAlbum(shape, album));
        case "show":
        case "episode":
        case "audiobook":
          return [];
        default:
          return null;
      }
    }

    const answer: Json = {};
    for (const type of types) {
      const matches = search(type);
      if (!matches) return apiError(c, 400, `Bad search type field ${type}`);
      const url = new URL(apiUrl(shape, "search"));
      url.searchParams.set("query", query);
      url.searchParams.set("type", type);
      answer[`${type}s`] = paging(url.href, matches, slice);
    }
    return c.json(answer);
  });
  return app;
}
