/** api.spotify.com: what applies to every route, from CORS to the rate limit. */
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

/** What an app's own token opens: the catalogue, and nothing of any user's. */
const CATALOGUE = /^\/v1\/(search|(tracks|albums|artists)(\/.*)?)$/;
const PREFIX = "/spotify/api";

type Route = [method: string, path: RegExp, status: 403 | 404];

/** Routes that apps in development mode do not have, and what they respond with instead. */
const OLD_ROUTES: readonly Route[] = [
  ["GET", /^\/v1\/users\/[^/]+\/playlists$/, 403],
  ["POST", /^\/v1\/users\/[^/]+\/playlists$/, 403],
  ["GET", /^\/v1\/playlists\/[^/]+\/tracks$/, 404],
  ["POST", /^\/v1\/playlists\/[^/]+\/tracks$/, 404],
  ["PUT", /^\/v1\/me\/tracks$/, 403],
  ["DELETE", /^\/v1\/me\/tracks$/, 403],
  ["GET", /^\/v1\/me\/tracks\/contains$/, 403],
];
/** Routes of 2026, which the mode "legacy" does not have. */
const NEW_ROUTES: readonly Route[] = [
  ["PUT", /^\/v1\/me\/library$/, 404],
  ["DELETE", /^\/v1\/me\/library$/, 404],
  ["GET", /^\/v1\/me\/library\/contains$/, 404],
  ["POST", /^\/v1\/me\/playlists$/, 404],
  ["GET", /^\/v1\/playlists\/[^/]+\/items$/, 404],
  ["POST", /^\/v1\/playlists\/[^/]+\/items$/, 404],
];

export function apiRoutes(service: SpotifyService): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  const { context, credentials } = service;

  app.use(async (c, next) => {
    await next();
    if (c.res.status !== 429) return;
    const musician = credentials.access(bearerToken(c) ?? "")?.musician;
    const hidden = service.hiddenLimits.get(musician ?? "");
    if (hidden?.cors) c.res.headers.delete("Access-Control-Allow-Origin");
    if (hidden?.retryAfter) c.res.headers.delete("Access-Control-Expose-Headers");
  });

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
  app.route("/v1", searchRoutes(service));
  app.route("/v1", playerRoutes());
  app.notFound((c) => apiError(c, 404, "Service not found"));
  return app;
}

/** Sets the caller, or returns the response that refuses the call. */
function identifyCaller(
  c: ApiContext,
  { context, credentials, people, rateLimits, changes }: SpotifyService,
  path: string,
  token: string | null,
): Response | null {
  const header = c.req.header("Authorization");
  if (header === undefined) return apiError(c, 401, "No token provided");
  if (token === null) return apiError(c, 400, "Only valid bearer authentication supported");
  const access = credentials.access(token);
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
  const wait = rateLimits.check(access.client, access.musician, context.now());
  if (wait > 0) {
    c.header("Retry-After", String(wait));
    return apiError(c, 429, "API rate limit exceeded");
  }
  const mode = credentials.mode(access.client);
  const missingRoutes = mode === "development" ? OLD_ROUTES : mode === "legacy" ? NEW_ROUTES : [];
  const missing = missingRoutes.find(
    ([method, pattern]) => method === c.req.method && pattern.test(path),
  );
  if (missing) {
    const [, , status] = missing;
    return apiError(c, status, status === 403 ? "Forbidden" : "Service not found");
  }
  c.set("caller", {
    // The routes above ask for nobody.
    person: person as Person,
    client: access.client,
    scopes: access.scope.split(" "),
    mode,
    shape: {
      ...{ origin: context.origin(), mode, changes: changes.tracks, nowhere: isApp },
      hidesExplicit: person?.hidesExplicit === true,
    },
  });
  return null;
}
