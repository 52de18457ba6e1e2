/** api.spotify.com: what applies to every route. */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { applyFaults, bearerToken, logCall } from "../../http.ts";
import { APP } from "../accounts/credentials.ts";
import type { Person } from "../people.ts";
import type { SpotifyService } from "../service.ts";
import { type ApiContext, type ApiEnv, apiError } from "./call.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { libraryRoutes } from "./library.ts";
import { playerRoutes } from "./player.ts";
import { playlistRoutes } from "./playlists.ts";
import { searchRoutes } from "./search.ts";

/** What an app's own token opens. */
const CATALOGUE = /^\/v1\/(search|(tracks|albums|artists)(\/.*)?)$/;
const PREFIX = "/spotify/api";

/** Routes that apps in development mode do not have: some are forbidden, the others not found. */
const FORBIDDEN_ROUTES = /^\w+ \/v1\/(users\/[^/]+\/playlists|me\/tracks(\/contains)?)$/;
const OLD_ROUTES = /^\w+ \/v1\/playlists\/[^/]+\/tracks$/;
/** Routes of 2026, which the mode "legacy" does not have. */
const NEW_ROUTES =
  /^(\w+ \/v1\/(me\/library(\/contains)?|playlists\/[^/]+\/items)|POST \/v1\/me\/playlists)$/;

export function apiRoutes(service: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const { context, credentials } = service;

  app.use(async (c, next) => {
    await next();
    if (c.res.status !== 429) return;
    const musician = credentials.access(bearerToken(c) ?? "")?.musician;
    if (!service.hiddenLimits.has(musician ?? "")) return;
    c.res.headers.delete("Access-Control-Allow-Origin");
  });

  app.use(
    cors({
      origin: "*",
      allowHeaders: ["Authorization", "Content-Type"],
      allowMethods: ["GET", "POST", "PUT", "DELETE"],
      exposeHeaders: ["Retry-After"],
      maxAge: 604_800,
    }),
  );

  app.use(async (c, next) => {
    const body = await c.req.raw.clone().text();
    const token = bearerToken(c);
    const musician = (token && credentials.access(token)?.musician) || null;
    const path = new URL(c.req.url).pathname.slice(PREFIX.length);
    const response =
      (await applyFaults(c, context.faults, path, musician)) ??
      identifyCaller(c, service, path, token);
    if (response) c.res = response;
    else await next();
    await logCall(context, c, { service: "spotify", musician, path, body, response: c.res });
  });

  app.route("/v1", catalogueRoutes());
  app.route("/v1", libraryRoutes(service));
  app.route("/v1", playlistRoutes(service));
  app.route("/v1", searchRoutes());
  app.route("/v1", playerRoutes());
  app.notFound((c) => apiError(c, 404, "Service not found"));
  return app;
}

function identifyCaller(
  c: ApiContext,
  { context, credentials, people, changes }: SpotifyService,
  path: string,
  token: string | null,
): Response | null {
  const access = credentials.access(token ?? "");
  const isApp = access?.musician === APP;
  const person = access ? people.get(access.musician) : null;
  if (!access || !(person || isApp)) return apiError(c, 401, "Invalid access token");
  if (access.expiresAt <= context.now()) {
    return apiError(c, 401, "The access token expired");
  }
  if (isApp && !CATALOGUE.test(path)) return apiError(c, 401, "Valid user authentication required");
  if (person && !person.musician.listed) {
    return c.text("User not registered in the Developer Dashboard", 403);
  }
  const mode = credentials.mode(access.client);
  const route = `${c.req.method} ${path}`;
  if (mode === "development" && FORBIDDEN_ROUTES.test(route)) return apiError(c, 403, "Forbidden");
  const missing = { development: OLD_ROUTES, legacy: NEW_ROUTES, extended: null }[mode];
  if (missing?.test(route)) return apiError(c, 404, "Service not found");
  c.set("caller", {
    // The routes above ask for nobody.
    person: person as Person,
    scopes: access.scope.split(" "),
    mode,
    shape: {
      origin: context.origin(),
      mode,
      changes,
      nowhere: isApp,
      hidesExplicit: person?.hidesExplicit === true,
    },
  });
  return null;
}
