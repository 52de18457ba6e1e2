/**
 * The control endpoint: produces every failure at will.
 *
 * `POST /control`, JSON `{ action, ... }`; answers 200 with JSON (`{ ok: true, ... }`), 400
 * `{ error }` for an order that makes no sense. What names a `musician` (their id) touches nobody
 * else, so tests can run side by side.
 *
 * Any stand-in:
 * - `fail` { route, status?, body?, contentType?, times?, musician?, retryAfter? }: the next `times`
 *   (default 1; negative: until the reset) calls of `route` ("GET /v1/me/player",
 *   "PUT /v1/me/player/play", "POST /api/token"; `:name` stands for one path segment) answer `status`
 *   (default 500; 0 cuts the connection), with `body` (text or JSON; default: an error as the service
 *   words it) and, with `retryAfter` (seconds), the header Retry-After.
 * - `delay` { route, ms, times?, musician? }: they wait `ms` first.
 * - `reset` { musician? }: everything but tokens is as at the start; without a musician also modes,
 *   limits and all faults. The log is emptied of what it clears.
 *
 * Spotify:
 * - `issueToken` { musician, client?, expiresIn?, scope? }: `{ access_token, refresh_token,
 *   expires_in, scope, token_type }`; by default the product's eight scopes and an hour.
 * - `expireTokens` { musician }: access tokens are expired from now on. `revoke` { musician }:
 *   refreshing answers invalid_grant.
 * - `mode` { client, mode }: "extended", "development" (reduced API of 2026), "legacy" (without the
 *   routes of 2026).
 * - `rateLimit` { limit, windowSeconds, musician? }.
 * - `openApp` { musician, active?, restricted? }: the phone's app opens; active: false leaves it merely
 *   listed, so that commands without a device id answer NO_ACTIVE_DEVICE. restricted: true: it takes
 *   no commands of the Web API (403), only those by hand, until false or closed. `closeApp` { musician }.
 * - `play` { musician, trackId, positionMs?, device? }: as if begun by hand in the own app (opened if
 *   need be), or with device "sdk" in the browser. It takes over from whatever was active before.
 *   `transfer` { musician, device }: what plays goes on there, on the "app" or the "sdk". `playOther`
 *   { musician, trackId? }: another song on the active device; answers `{ trackId }`. `pause`
 *   { musician }: by hand.
 * - `dropDevice` { musician }: the active device (else the first) vanishes.
 * - `sdk` { fail, musician }: what goes wrong in the browser's player; each order takes the place of
 *   the one before, "none" ends it. Once, at the next chance: "init", "account", "authentication"
 *   (connect answers that error), "playback", "autoplay" (start of a track). Until "none": "hold"
 *   (connect is not answered, then completes), "offline" (the network is lost: not_ready, the device
 *   and what plays on it are gone, connect is not answered; then ready again with the same id, and
 *   nothing loaded). `sdk` { fail: "script" | "none" }, without a musician: the script answers 503 to
 *   everybody until "none" or the reset.
 * - `state` { musician }: devices, what plays, saved uris. `musicians`: all of them.
 *
 * `GET /control/requests?musician=&service=&since=` answers `{ requests }`, the last 2000 calls
 * (see request-log.ts).
 */
import { Hono } from "hono";
import { controlError, type SandboxContext } from "./context.ts";
import { type Failure, parseRoute } from "./faults.ts";

type Input = Record<string, unknown>;

export function controlRoutes(context: SandboxContext): Hono {
  const app = new Hono();

  context.links.push({
    href: "/control/requests",
    text: "Requests",
    note: "the last calls the stand-ins answered, as JSON",
  });
  context.actions.set("fail", (input) => {
    context.faults.add({ ...common(input), delayMs: 0, failure: failureOf(input) });
    return undefined;
  });
  context.actions.set("delay", (input) => {
    if (typeof input.ms !== "number") throw controlError("ms is missing");
    context.faults.add({ ...common(input), delayMs: input.ms, failure: null });
    return undefined;
  });
  context.actions.set("reset", (input) => {
    const musician = input.musician === undefined ? undefined : String(input.musician);
    context.faults.clear(musician);
    context.log.clear(musician);
    for (const reset of context.resets) reset(musician);
    return undefined;
  });

  app.post("/", async (c) => {
    // Demanding JSON keeps other sites' pages out: they would have to ask first, and are not answered.
    if (!c.req.header("Content-Type")?.includes("application/json")) {
      return c.json({ error: "the content type must be application/json" }, 415);
    }
    try {
      const input = (await c.req.json()) as Input;
      const action = context.actions.get(String(input.action));
      if (!action) throw controlError(`no action ${String(input.action)}`);
      return c.json({ ok: true, ...action(input) });
    } catch (error) {
      if (
        error instanceof Error &&
        (error.name === "ControlError" || error.name === "SyntaxError")
      ) {
        return c.json({ error: error.message }, 400);
      }
      throw error;
    }
  });

  app.get("/requests", (c) => {
    const { musician, service, since } = c.req.query();
    return c.json({
      requests: context.log.list({
        ...(musician === undefined ? {} : { musician }),
        ...(service === undefined ? {} : { service }),
        ...(since === undefined ? {} : { since: Number(since) }),
      }),
    });
  });

  return app;
}

function common(input: Input) {
  const route = parseRoute(String(input.route));
  if (!route) throw controlError('route must look like "GET /v1/me/player"');
  return {
    ...route,
    musician: input.musician === undefined ? null : String(input.musician),
    times: typeof input.times === "number" ? input.times : 1,
  };
}

function failureOf(input: Input): Failure {
  const status = typeof input.status === "number" ? input.status : 500;
  const body = input.body ?? standardBody(String(input.route), status);
  const isText = typeof body === "string";
  return {
    status,
    body: isText ? body : JSON.stringify(body),
    contentType: String(input.contentType ?? (isText ? "text/plain" : "application/json")),
    headers:
      input.retryAfter === undefined ? {} : { "Retry-After": String(Number(input.retryAfter)) },
  };
}

function standardBody(route: string, status: number): unknown {
  if (route.endsWith("/api/token")) {
    const error = status === 400 ? "invalid_grant" : "server_error";
    return { error, error_description: "Ordered failure" };
  }
  return {
    error: { status, message: status === 429 ? "API rate limit exceeded" : "Ordered failure" },
  };
}
