/**
 * The control endpoint: makes the stand-ins fail, and does what users of the real services would do.
 *
 * `POST /control` takes JSON `{ action, ... }`. It responds with 200 and `{ ok: true, ... }`, or with
 * 400 and `{ error }` if the request makes no sense. An action that names a `musician` (by id) affects
 * only that musician, so tests can run side by side.
 *
 * Calls with an app's own token (client credentials) count as those of the musician "app".
 *
 * Any stand-in:
 * - `fail` { route, status?, body?, contentType?, retryAfter?, error?, times?, musician? }: the next
 *   `times` calls to `route` fail (default 1; negative: all until the reset). A route is a method and
 *   a path, such as "GET /v1/me/player" or "POST /api/token"; `:name` matches one path segment.
 *   `status` defaults to 500; 0 cuts the connection. `body` is text or JSON; the default is an error
 *   in the service's own format. `retryAfter` (seconds) sets the header Retry-After. For Resend,
 *   `error`, a name such as "daily_quota_exceeded", sets status and body.
 * - `delay` { route, ms, times?, musician? }: the next `times` calls wait `ms` before they are served.
 * - `reset` { musician? }: restores the initial state of everything except tokens, and removes the
 *   musician's faults and log entries. Without a musician: everybody's, and API modes and rate limits.
 *
 * Spotify:
 * - `issueToken` { musician, client?, expiresIn?, scope? }: returns `{ access_token, refresh_token,
 *   expires_in, scope, token_type }`. Defaults: the product's eight scopes, one hour.
 * - `expireTokens` { musician }: all access tokens expire now. `revoke` { musician }: refreshing fails
 *   with invalid_grant, and the consent page asks anew. `withdraw` { musician, scope }: these scopes are
 *   taken out of all tokens and of what the musician has granted.
 * - `playlist` { musician, name?, trackIds?, size?, public?, collaborative?, followers? }: the musician
 *   makes a playlist with these tracks, filled up with others to `size` (10,000 is full); public: false
 *   or collaborative: true make it private. `followers` are the ids of musicians who have it among
 *   theirs. Returns `{ playlistId }`. `dropPlaylist` { musician, playlistId }: it is gone. `playlists`
 *   { musician }: returns `{ playlists }`, the musician's own with their `trackIds`.
 * - `mode` { client, mode }: the API that a client gets: "extended" (that of older apps), "development"
 *   (the reduced one of 2026) or "legacy" (without the routes of 2026).
 * - `rateLimit` { limit, windowSeconds, musician? }: calls per rolling window.
 * - `hideLimits` { musician, cors?, retryAfter? }: what browsers do not get of a 429, as it is reported
 *   of the real service. cors: true leaves out the headers without which a page cannot read the response
 *   at all; retryAfter: true only keeps Retry-After from it. Each request replaces the one before it.
 * - `openApp` { musician, active?, restricted? }: the Spotify app on the phone opens. active: false
 *   leaves it listed but not active, so that commands without a device id fail with NO_ACTIVE_DEVICE.
 *   restricted: true makes it refuse commands of the Web API (403), but not those given here or on its
 *   page, until it is set to false or the app is closed. `closeApp` { musician }.
 * - `play` { musician, trackId, positionMs?, device? }: as if the musician pressed play in their own
 *   app, which opens if needed, or with device "sdk" in the browser. It takes over from the device
 *   that was active. `transfer` { musician, device }: moves playback to the "app" or the "sdk".
 *   `playOther` { musician, trackId? }: plays another song on the active device; returns `{ trackId }`.
 *   `pause` { musician }.
 * - `advertisement` { musician }: one plays, which the Web API does not name, until a song is started.
 *   `episode` { musician }: likewise one of a podcast, named to those who ask with additional_types.
 *   `privateSession` { musician, on? }: the app's private session begins, or with on: false ends; while the
 *   app is the active device, the Web API tells nothing of the playback (204). `crossfade` { musician,
 *   seconds? }: after a song that was started alone, another one follows from now on, and begins this long
 *   before its end (default 12). `hideExplicit` { musician, on? }: the account hides explicit songs, or with
 *   on: false no longer: they are restricted and not started (403).
 * - `dropDevice` { musician }: the active device disappears, or the first one if none is active.
 * - `sdk` { fail, musician }: makes the player in the browser fail. Each request replaces the one
 *   before it; "none" ends it. These happen once: "init", "account", "authentication" (connect fails
 *   with that error), "playback", "autoplay" (a track fails to start). These last until "none": "hold"
 *   (connect gets no answer until then), "offline" (the network is lost: not_ready, the device and its
 *   playback disappear, connect gets no answer; afterwards ready again with the same id and nothing
 *   loaded). `sdk` { fail: "script" | "none" }, without a musician: the script fails with 503 for
 *   everybody until "none" or the reset.
 * - `track` { trackId, name?, artistNames?, durationMs?, explicit?, cover?, gone? }: from now on, what the Web API says
 *   of a track differs from the catalogue in this. `cover` is any word, from which another cover is drawn;
 *   gone: true makes `GET /v1/tracks/:id` answer 404. Each request replaces the one before it, and one with
 *   a trackId alone takes it back. `picture` { id, lost? }: the pictures of an album (artist, musician,
 *   playlist) are no longer there (404), or with lost: false are again.
 * - `musician` { name, product?, email?, titles?, listed? }: adds a musician until the sandbox stops,
 *   with a short song for each title; null invents one. Returns `{ musician, songs, albums }`, the albums
 *   in the order of the songs. email: null leaves the address out; by default there is one.
 * - `state` { musician }: returns devices, playback and saved uris. `musicians`: all of them.
 *
 * Stripe. `customer`, `subscription` and `session` are ids. A subscription can be named by its customer
 * instead, and actions on one return `{ subscription }`:
 * - `stripeState` { customer | userId | musician }: returns `{ customers, subscriptions, sessions }` as the
 *   API shows them; customers also have `deleted`.
 * - `stripePay` { session, email? }: pays like the checkout page; `email` if the session has none. Returns
 *   `{ result: "complete" | "expired", session }`.
 * - `stripeSubscribe` { email, userId?, clientReference?, prices?, quantity? }: creates a subscription for a
 *   new customer to `prices` (their ids; premium's by default), as in Stripe's dashboard; `userId` becomes
 *   the customer's metadata.user_id. With clientReference: true it is bought in a checkout without a
 *   customer instead, and `userId` is the checkout's client reference.
 * - `stripePeriod` { … }: time passes to the end of the period. The subscription is renewed and paid,
 *   becomes past due if the card is declined, or ends if it was cancelled.
 * - `stripeCard` { customer, card }: the customer now pays with a card that "works" or is "declined".
 *   `stripePayInvoice` { … }: pays open invoices.
 * - `stripeCancel` { …, at: "period_end" | "now" }: cancels as in the portal. `stripeResume` { … }: takes
 *   that back. `stripePauseCollection` { …, behavior: "keep_as_draft" | "mark_uncollectible" | "void" | null }:
 *   pauses its payments alone, or with null resumes them. `stripeCoupon` { …, percentOff, invoices }: takes
 *   that much off so many invoices. `stripeInvoiced` { … }: is paid by invoices that are sent.
 * - `stripeTrialEnd` { … }: turns it into a trial that ends in three days and sends the event that
 *   announces this. `stripeStatus` { …, status }: sets "active", "past_due", "unpaid", "incomplete",
 *   "incomplete_expired" or "paused".
 * - `stripeEvents` { customer }: returns `{ events: [{ id, type, signed: { payload, header } }] }`, oldest
 *   first; `signed` is ready to be posted. `stripeSign` { payload, timestamp?, secret? }: returns
 *   `{ header }` for any text. `stripeSettle`: responds once no event is on its way to the app.
 * - `stripeIndex` { userId }: the search finds a user's customers at once, and not only after a minute.
 * - `stripeLoseAnswer` { route, times?, musician? }: the next calls are carried out, but the connection
 *   is cut instead of the response.
 * The musician of a call is the one with the customer's metadata.user_id ("user-demo-premium") or e-mail
 * address; otherwise metadata.user_id itself.
 *
 * Mail:
 * - `mails` { to? }: returns `{ mails }` with all of their fields, oldest first. `lastEvent` is "delivered",
 *   "bounced", "complained", or "suppressed" for a mail that was accepted and not sent. `to` filters by
 *   recipient, copies included.
 * - `mailLoseAnswer` { times?, musician? }: the next mails are sent, but the connection is cut instead
 *   of the response.
 * - `mailRefuse` { to }: this recipient is refused (422 validation_error) until the reset.
 * - `mailEvent` { to, type, bounce?, at? }: something happens to the last mail to this address, such as
 *   "email.bounced" (`bounce` is "Permanent" or "Transient") or "email.complained". The signed event is sent
 *   to the webhook. Returns `{ event: { payload, headers }, status }`; status 0 means no response, null that
 *   events are sent nowhere. After a permanent bounce or a complaint nothing is sent to the address, until
 *   `mailAllow` { to } takes it off the list, as the operator can in Resend's dashboard, or the reset.
 * - `mailSign` { payload, timestamp?, secret? }: returns `{ payload, headers }` for any text.
 * A sender at "unverified.example" or "resend.dev" is refused (403). The musician of a mail or a call is the
 * one with the first recipient's address; otherwise the address itself. A musician's reset removes their
 * mails, the idempotency keys of these, and refusals.
 *
 * `GET /control/requests?musician=&service=&since=` returns `{ requests }`, the last 2000 calls
 * (request-log.ts).
 */
import { Hono } from "hono";
import { addActions, type SandboxContext } from "./context.ts";
import { controlError, faultTarget, type Input } from "./control-action.ts";
import type { Failure } from "./faults.ts";
import { mailErrorFor, namedMailError } from "./mail/errors.ts";
import { errorBody, isStripeRoute } from "./stripe/errors.ts";

export function controlRoutes(context: SandboxContext): Hono {
  const app = new Hono();

  context.links.push({
    href: "/control/requests",
    text: "Requests",
    note: "the last calls to the stand-ins, as JSON",
  });
  addActions(context, {
    fail(input) {
      context.faults.add({ ...faultTarget(input), delayMs: 0, failure: requestedFailure(input) });
      return undefined;
    },
    delay(input) {
      if (typeof input.ms !== "number") throw controlError("ms is missing");
      context.faults.add({ ...faultTarget(input), delayMs: input.ms, failure: null });
      return undefined;
    },
    reset(input) {
      const musician = input.musician === undefined ? undefined : String(input.musician);
      context.faults.clear(musician);
      context.log.clear(musician);
      for (const reset of context.resets) reset(musician);
      return undefined;
    },
  });

  app.post("/", async (c) => {
    // Other sites' pages cannot send JSON without asking first, which this endpoint does not allow.
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

function requestedFailure(input: Input): Failure {
  const named = input.error === undefined ? null : namedMailError(String(input.error));
  const status = typeof input.status === "number" ? input.status : (named?.statusCode ?? 500);
  const body = input.body ?? named ?? defaultBody(String(input.route), status);
  const isText = typeof body === "string";
  return {
    status,
    body: isText ? body : JSON.stringify(body),
    contentType: String(input.contentType ?? (isText ? "text/plain" : "application/json")),
    headers:
      input.retryAfter === undefined ? {} : { "Retry-After": String(Number(input.retryAfter)) },
  };
}

function defaultBody(route: string, status: number): unknown {
  if (isStripeRoute(route)) return errorBody(status, "Ordered failure");
  if (route === "POST /emails") return mailErrorFor(status);
  if (route.endsWith("/api/token")) {
    const error = status === 400 ? "invalid_grant" : "server_error";
    return { error, error_description: "Ordered failure" };
  }
  return {
    error: { status, message: status === 429 ? "API rate limit exceeded" : "Ordered failure" },
  };
}
