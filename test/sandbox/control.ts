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
 *   words it) and, with `retryAfter` (seconds), the header Retry-After. At Resend's `error`, a name such
 *   as "daily_quota_exceeded", stands for status and body.
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
 * Stripe. `customer`, `subscription` and `session` are ids; for a subscription the customer will do, and
 * an order about one answers `{ subscription }`:
 * - `stripeState` { customer?, email?, userId?, musician? }: `{ customers, subscriptions, invoices,
 *   sessions }`, each as the API shows it; customers with `card` and `deleted`.
 * - `stripePay` { session, card?, email? }: as the checkout page does, card "works" (default) or
 *   "declined"; `email` where the session knows none. Answers `{ result: "complete" | "declined" |
 *   "expired", session, url }`, url being where the page would lead.
 * - `stripeSubscribe` { email, userId?, clientReference? }: a subscription made in the dashboard, for a
 *   new customer; `userId` becomes the customer's metadata.user_id. clientReference: true: it is bought
 *   in a checkout without a customer instead, whose client reference is `userId`.
 * - `stripePeriod` { subscription | customer }: time passes to the end of the period. It is renewed and
 *   paid, or past due where the card is declined, or ends where it was cancelled.
 * - `stripeCard` { customer, card }: pays with a card that "works", is "declined", or "declinedOnce".
 *   `stripePayInvoice` { subscription | customer }: pays what is open; `{ paid }`.
 * - `stripeCancel` { subscription | customer, at: "period_end" | "now" }, as in the portal;
 *   `stripeResume` { … } takes a cancellation back, or ends a pause; `stripePause` { … }.
 * - `stripeTrialEnd` { … }: it becomes a trial that ends in three days, which is announced.
 *   `stripeActionRequired` { … }: the period ends and the bank wants the payment confirmed: past due.
 *   `stripeStatus` { …, status }: "active", "past_due", "unpaid", "incomplete", "incomplete_expired" or
 *   "paused", as if it had come about.
 * - `stripeEvents` { customer?, musician? }: `{ events: [{ id, type, created, attempts, delivery,
 *   signed: { payload, header } }] }`, oldest first; `signed` is ready to be posted. `stripeSign`
 *   { payload, timestamp?, secret? }: `{ header }` for any text.
 * - `stripeWebhook` { url, secret? }: where events go; without a url nowhere. `stripeHold` { musician? }:
 *   they are kept back. `stripeRelease` { musician?, order?, twice?, drop? } sends those, one after the
 *   other: what `order` (types or ids) names first, or all in "reverse"; `twice`: each again at once;
 *   what `drop` names never. `{ attempts: [{ id, type, status }] }`, status 0 without an answer.
 *   `stripeSettle`: answers when no attempt is under way.
 * - `stripeLoseAnswer` { route, times?, musician? }: the next calls are carried out, and the connection
 *   is cut instead of the answer.
 * A call's or event's musician is who the customer is by metadata.user_id ("user-demo-premium") or
 * e-mail address; else metadata.user_id as it stands. `reset` with a musician drops all that is theirs.
 *
 * Mail:
 * - `mails` { to?, musician? }: `{ mails: [{ id, at, musician, from, to, cc, bcc, replyTo, subject, html,
 *   text, headers, idempotencyKey }] }`, oldest first, `at` in epoch milliseconds; `to` is an address
 *   among the recipients, copies included.
 * - `mailLoseAnswer` { times?, musician? }: the next mails are sent, and the connection is cut instead of
 *   the answer.
 * - `mailRefuse` { to }: this recipient is refused (422 validation_error) until the reset.
 * - `mailRateLimit` { limit, windowSeconds }: for all calls together, as Resend counts; until the reset
 *   5 a second.
 * A mail's or call's musician is who has the first recipient's address; else the address as it stands.
 * `reset` with a musician drops their mails with the idempotency keys of those, and refusals.
 *
 * `GET /control/requests?musician=&service=&since=` answers `{ requests }`, the last 2000 calls
 * (see request-log.ts).
 */
import { Hono } from "hono";
import { controlError, type SandboxContext } from "./context.ts";
import { type Failure, parseRoute } from "./faults.ts";
import { isMailRoute, namedMailError, orderedMailError } from "./mail/errors.ts";
import { isStripeRoute, orderedError } from "./stripe/api/errors.ts";

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
      return c.json({ ok: true, ...(await action(input)) });
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
  const named = input.error === undefined ? null : namedMailError(String(input.error));
  const status = typeof input.status === "number" ? input.status : (named?.statusCode ?? 500);
  const body = input.body ?? named ?? standardBody(String(input.route), status);
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
  if (isStripeRoute(route)) return orderedError(status);
  if (isMailRoute(route)) return orderedMailError(status);
  if (route.endsWith("/api/token")) {
    const error = status === 400 ? "invalid_grant" : "server_error";
    return { error, error_description: "Ordered failure" };
  }
  return {
    error: { status, message: status === 429 ? "API rate limit exceeded" : "Ordered failure" },
  };
}
