/** The saved library: by uri (routes of 2026) and by track id (older routes). */
import { Hono } from "hono";
import { trackById } from "../../catalogue.ts";
import type { SpotifyService } from "../service.ts";
import { type ApiContext, type ApiEnv, apiError, jsonBody, missingScope } from "./call.ts";

const URI = /^spotify:(track|album|episode|show|audiobook|artist|user|playlist):[\w.-]+$/;

export function libraryRoutes(service: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  function save(c: ApiContext, uris: string[]): Response {
    const { library } = c.get("caller").person;
    for (const uri of uris) if (!library.has(uri)) library.set(uri, service.context.now());
    service.context.store.changed();
    return c.body(null, 200);
  }
  function remove(c: ApiContext, uris: string[]): Response {
    for (const uri of uris) c.get("caller").person.library.delete(uri);
    service.context.store.changed();
    return c.body(null, 200);
  }
  function contains(c: ApiContext, uris: string[]): Response {
    return c.json(uris.map((uri) => c.get("caller").person.library.has(uri)));
  }

  app.put("/me/library", (c) => {
    const uris = missingScope(c, "user-library-modify") ?? urisOf(c);
    return uris instanceof Response ? uris : save(c, uris);
  });
  app.delete("/me/library", (c) => {
    const uris = missingScope(c, "user-library-modify") ?? urisOf(c);
    return uris instanceof Response ? uris : remove(c, uris);
  });
  app.get("/me/library/contains", (c) => {
    const uris = missingScope(c, "user-library-read") ?? urisOf(c);
    return uris instanceof Response ? uris : contains(c, uris);
  });

  app.put("/me/tracks", async (c) => {
    const uris = missingScope(c, "user-library-modify") ?? trackUris(c, await idsOfBody(c));
    return uris instanceof Response ? uris : save(c, uris);
  });
  app.delete("/me/tracks", (c) => {
    const uris = missingScope(c, "user-library-modify") ?? trackUris(c, idsOfQuery(c));
    return uris instanceof Response ? uris : remove(c, uris);
  });
  app.get("/me/tracks/contains", (c) => {
    const uris = missingScope(c, "user-library-read") ?? trackUris(c, idsOfQuery(c));
    return uris instanceof Response ? uris : contains(c, uris);
  });
  return app;
}

/** The 1 to 40 `uris` of the query, or the error response. They are not read from the body. */
function urisOf(c: ApiContext): string[] | Response {
  const uris = (c.req.query("uris") ?? "").split(",").filter(Boolean);
  if (uris.length === 0) return apiError(c, 400, "Missing required field: uris");
  if (uris.length > 40) return apiError(c, 400, "Too many uris requested");
  const bad = uris.find((uri) => !URI.test(uri));
  if (bad !== undefined) return apiError(c, 400, `Invalid uri: ${bad}`);
  const unknown = uris.find(
    (uri) => uri.startsWith("spotify:track:") && !trackById.has(uri.slice("spotify:track:".length)),
  );
  return unknown === undefined ? uris : apiError(c, 404, "Resource not found");
}

/** The `ids` of the query. A removal must have them there, whatever its body says. */
function idsOfQuery(c: ApiContext): string[] {
  return (c.req.query("ids") ?? "").split(",").filter(Boolean);
}

/**
 * The `ids` of the body, or the error response. When saving tracks, Spotify still accepts them in the
 * query, but no longer documents that, so the stand-in refuses it.
 */
async function idsOfBody(c: ApiContext): Promise<string[] | Response> {
  const body = await jsonBody(c);
  if (body instanceof Response) return body;
  return Array.isArray(body?.ids) ? body.ids.map(String) : [];
}

/** 1 to 50 ids as track uris, or the error response. */
function trackUris(c: ApiContext, ids: string[] | Response): string[] | Response {
  if (ids instanceof Response) return ids;
  if (ids.length === 0) return apiError(c, 400, "Missing required field: ids");
  if (ids.length > 50) return apiError(c, 400, "Too many ids requested");
  if (ids.some((id) => !/^[0-9A-Za-z]{22}$/.test(id))) return apiError(c, 400, "Invalid base62 id");
  if (ids.some((id) => !trackById.has(id))) return apiError(c, 404, "Resource not found");
  return ids.map((id) => `spotify:track:${id}`);
}
