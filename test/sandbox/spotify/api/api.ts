/** api.spotify.com: what holds for every route, from CORS to the rate limit. */
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { readable } from "../../request-log.ts";
import type { SpotifyService } from "../service.ts";
import { strike } from "../strike.ts";
import { type ApiContext, type ApiEnv, apiError } from "./call.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { libraryRoutes } from "./library.ts";
import { playerRoutes } from "./player.ts";
import { playlistRoutes } from "./playlists.ts";

const PREFIX = "/spotify/api";

/** Routes only older apps have: gone in development mode (platform facts, section 6). */
const OLD_ROUTES: readonly [method: string, path: RegExp, status: 403 | 404][] = [
  ["GET", /^\/v1\/users\/[^/]+(\/playlists)?$/, 403],
  ["POST", /^\/v1\/users\/[^/]+\/playlists$/, 403],
  ["GET", /^\/v1\/playlists\/[^/]+\/tracks$/, 404],
  ["POST", /^\/v1\/playlists\/[^/]+\/tracks$/, 404],
  ["PUT", /^\/v1\/me\/tracks$/, 403],
  ["DELETE", /^\/v1\/me\/tracks$/, 403],
  ["GET", /^\/v1\/me\/tracks\/contains$/, 403],
  ["GET", /^\/v1\/(tracks|albums|artists)$/, 403],
];
/** Routes of 2026, which the mode "legacy" does not have. */
const NEW_ROUTES: readonly [method: string, path: RegExp, status: 403 | 404][] = [
  ["PUT", /^\/v1\/me\/library$/, 404],
  ["DELETE", /^\/v1\/me\/library$/, 404],
  ["GET", /^\/v1\/me\/library\/contains$/, 404],
  ["POST", /^\/v1\/me\/playlists$/, 404],
  ["GET", /^\/v1\/playlists\/[^/]+\/items$/, 404],
  ["POST", /^\/v1\/playlists\/[^/]+\/items$/, 404],
];

export function apiRoutes(service: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.use(
    cors({
      origin: "*",
      allowHeaders: [
        "Accept",
        "App-Platform",
        "Authorization",
        "Content-Type",
        "Origin",
        "Retry-After",
      ],
      allowMethods: ["GET", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"],
      exposeHeaders: ["Retry-After"],
      maxAge: 604_800,
    }),
  );

  app.use(async (c, next) => {
    const text = await c.req.raw.clone().text();
    const token = bearer(c);
    const musician = (token && service.credentials.access(token)?.musician) || null;
    const path = new URL(c.req.url).pathname.slice(PREFIX.length);
    const struck = await strike(c, service.context.faults, path, musician);
    if (struck) c.res = struck;
    else {
      const refusal = admit(c, service, path, token);
      if (refusal) c.res = refusal;
      else await next();
    }
    const type = c.req.header("Content-Type") ?? "";
    service.context.log.add({
      at: service.context.now(),
      service: "spotify",
      musician,
      method: c.req.method,
      path,
      query: c.req.query(),
      headers: type === "" ? {} : { "content-type": type },
      body: readable(text, type),
      status: struck?.status === 599 ? 0 : c.res.status,
      responseBody: readable(await c.res.clone().text(), c.res.headers.get("Content-Type") ?? ""),
    });
  });

  app.route("/v1", catalogueRoutes());
  app.route("/v1", libraryRoutes(service));
  app.route("/v1", playlistRoutes(service));
  app.route("/v1", playerRoutes());
  app.notFound((c) => apiError(c, 404, "Service not found"));
  return app;
}

/** Sets the caller, or answers why the call goes no further. */
function admit(
  c: ApiContext,
  service: SpotifyService,
  path: string,
  token: string | null,
): Response | null {
  const header = c.req.header("Authorization");
  if (header === undefined) return apiError(c, 401, "No token provided");
  if (token === null) return apiError(c, 400, "Only valid bearer authentication supported");
  const access = service.credentials.access(token);
  const person = access ? service.people.get(access.musician) : null;
  if (!access || !person) return apiError(c, 401, "Invalid access token");
  if (access.expiresAt <= service.context.now()) {
    return apiError(c, 401, "The access token expired");
  }
  if (!person.musician.listed) {
    return c.text("User not registered in the Developer Dashboard", 403);
  }
  const wait = service.rateLimits.check(access.client, access.musician, service.context.now());
  if (wait > 0) {
    c.header("Retry-After", String(wait));
    return apiError(c, 429, "API rate limit exceeded");
  }
  const mode = service.credentials.mode(access.client);
  const gone = mode === "development" ? OLD_ROUTES : mode === "legacy" ? NEW_ROUTES : [];
  const hit = gone.find(([method, pattern]) => method === c.req.method && pattern.test(path));
  if (hit) return apiError(c, hit[2], hit[2] === 403 ? "Forbidden" : "Service not found");
  c.set("caller", {
    person,
    client: access.client,
    scopes: access.scope.split(" "),
    mode,
    shape: { origin: service.context.origin(), mode },
  });
  return null;
}

function bearer(c: Context): string | null {
  return /^Bearer (\S+)$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}
