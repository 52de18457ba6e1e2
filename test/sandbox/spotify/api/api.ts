/** api.spotify.com: what holds for every route, from CORS to the rate limit. */
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { readable } from "../../request-log.ts";
import type { Mode } from "../accounts/credentials.ts";
import type { Person } from "../people.ts";
import type { SpotifyService } from "../service.ts";
import { strike } from "../strike.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { libraryRoutes } from "./library.ts";
import type { Shape } from "./objects.ts";
import { playerRoutes } from "./player.ts";
import { playlistRoutes } from "./playlists.ts";

/** What a route knows about the call it serves. */
export interface Caller {
  person: Person;
  client: string;
  scopes: string[];
  mode: Mode;
  shape: Shape;
}

export type ApiEnv = { Variables: { caller: Caller } };
export type ApiContext = Context<ApiEnv>;

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

export type ErrorStatus = 400 | 401 | 403 | 404 | 429;

/** The Web API's error object; `reason` on player errors only. */
export function apiError(
  c: Context,
  status: ErrorStatus,
  message: string,
  reason?: string,
): Response {
  return c.json(
    { error: { status, message, ...(reason === undefined ? {} : { reason }) } },
    status,
  );
}

/** Null where the token has one of the scopes, else the answer. */
export function missingScope(c: ApiContext, ...anyOf: string[]): Response | null {
  const { scopes } = c.get("caller");
  return anyOf.some((scope) => scopes.includes(scope))
    ? null
    : apiError(c, 403, "Insufficient client scope");
}

/** `limit` and `offset` of the query, or the answer that refuses them. */
export function pageOf(
  c: ApiContext,
  { maximum = 50, standard = 20, lastOffset = 100_000 } = {},
): { limit: number; offset: number } | Response {
  const limit = c.req.query("limit") ?? String(standard);
  const offset = c.req.query("offset") ?? "0";
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > maximum) {
    return apiError(c, 400, "Invalid limit");
  }
  if (!/^\d+$/.test(offset) || Number(offset) > lastOffset)
    return apiError(c, 400, "Invalid offset");
  return { limit: Number(limit), offset: Number(offset) };
}

/** The JSON body as an object; null when it is empty, the answer when it is not JSON. */
export async function jsonBody(c: ApiContext): Promise<Record<string, unknown> | null | Response> {
  const text = await c.req.text();
  if (text.trim() === "") return null;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>;
    }
  } catch {
    // Falls through to the answer below.
  }
  return apiError(c, 400, "Error parsing JSON.");
}
