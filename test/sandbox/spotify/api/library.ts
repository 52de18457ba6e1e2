/** The saved library: by uri (routes of 2026) and by track id (older routes). */
import { Hono } from "hono";
import { trackById } from "../../catalogue.ts";
import type { SpotifyService } from "../service.ts";
import { type ApiContext, type ApiEnv, apiError, jsonBody, missingScope } from "./call.ts";

const TRACK_URI = /^spotify:track:(\w{22})$/;

export function libraryRoutes({ context }: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  function answer(
    c: ApiContext,
    uris: string[],
    most: number,
    act: (library: Set<string>, uris: string[]) => unknown,
  ): Response {
    const refusal = missingScope(
      c,
      c.req.method === "GET" ? "user-library-read" : "user-library-modify",
    );
    if (refusal) return refusal;
    const ids = uris.map((uri) => TRACK_URI.exec(uri)?.[1]);
    if (ids.length === 0 || ids.length > most || ids.includes(undefined)) {
      return apiError(c, 400, "Invalid uris");
    }
    if (ids.some((id) => !trackById.has(id ?? ""))) return apiError(c, 404, "Resource not found");
    const result = act(c.get("caller").person.library, uris);
    context.store.changed();
    return c.req.method === "GET" ? c.json(result as boolean[]) : c.body(null, 200);
  }
  const listed = (c: ApiContext, name: string) =>
    (c.req.query(name) ?? "").split(",").filter(Boolean);
  const urisOf = (ids: string[]) => ids.map((id) => `spotify:track:${id}`);

  const save = (library: Set<string>, uris: string[]) => uris.map((uri) => library.add(uri));
  const remove = (library: Set<string>, uris: string[]) => uris.map((uri) => library.delete(uri));
  const contains = (library: Set<string>, uris: string[]) => uris.map((uri) => library.has(uri));

  app.put("/me/library", (c) => answer(c, listed(c, "uris"), 40, save));
  app.delete("/me/library", (c) => answer(c, listed(c, "uris"), 40, remove));
  app.get("/me/library/contains", (c) => answer(c, listed(c, "uris"), 40, contains));
  app.put("/me/tracks", async (c) => {
    const { ids } = await jsonBody(c);
    return answer(c, urisOf(Array.isArray(ids) ? ids.map(String) : []), 50, save);
  });
  app.delete("/me/tracks", (c) => answer(c, urisOf(listed(c, "ids")), 50, remove));
  app.get("/me/tracks/contains", (c) => answer(c, urisOf(listed(c, "ids")), 50, contains));
  return app;
}
