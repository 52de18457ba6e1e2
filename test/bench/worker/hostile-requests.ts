/** Requests that are designed to be expensive: every route combined with every way to overload it. */
import { bodies, type HeaderList, hostileHeaders, paths, queries } from "./hostile-shapes.ts";

/** A request as it is sent. */
export interface HostileRequest {
  name: string;
  method: string;
  /** Path and query. */
  path: string;
  headers: HeaderList;
  /** The pieces in which the body is sent; several pieces have no declared length. */
  body?: string[];
}

type Place = Omit<HostileRequest, "body">;

function placeOf(method: string, path: string, cookie = ""): Place {
  const headers: HeaderList = cookie ? [["Cookie", cookie]] : [];
  return { name: `${method} ${path}${cookie ? " (member)" : ""}`, method, path, headers };
}

/** Paths to GET, with and without a login: one of each kind. */
function places(cookie: string): Place[] {
  const open = [
    ...["/no-such-page", "/", "/faq", "/account", "/?_data=routes/_index", "/__manifest"],
    ...["/player/token", "/health", "/auth/spotify/callback", "/unsubscribe", "/confirm-email"],
    "/subscription-success",
  ];
  const own = ["/no-such-page", "/", "/account", "/ratings-of-my-songs"];
  return [
    ...open.map((path) => placeOf("GET", path)),
    ...own.map((path) => placeOf("GET", path, cookie)),
  ];
}

/** Paths to post to. */
function posts(cookie: string): Place[] {
  const open = [
    ...["/no-such-page", "/login", "/webhooks/stripe", "/webhooks/resend", "/unsubscribe?token=x"],
    ...["/confirm-email?token=x", "/checkout-session/lookup", "/songs/x/rating"],
  ];
  const own = ["/songs/x/rating", "/submissions", "/account/email", "/email-preference"];
  return [
    ...open.map((path) => placeOf("POST", path)),
    ...own.map((path) => placeOf("POST", path, cookie)),
  ];
}

/** Paths whose routes each read headers in a different way. */
const withHeaders = new Set([
  "GET /no-such-page",
  "GET /",
  "GET /faq",
  "GET /auth/spotify/callback",
  "GET / (member)",
  "GET /account (member)",
  "POST /login",
  "POST /webhooks/stripe",
  "POST /webhooks/resend",
  "POST /unsubscribe?token=x",
  "POST /songs/x/rating (member)",
]);

const methods = ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "HEAD"];

/** Every path with every shape that applies to it. @param cookie a login. */
export function hostileRequests(cookie: string): HostileRequest[] {
  const all: HostileRequest[] = [];
  for (const [name, path] of Object.entries(paths)) {
    for (const method of ["GET", "POST"]) {
      for (const accept of ["text/html", "application/json"]) {
        all.push({
          name: `${method} ${name} (${accept})`,
          method,
          path,
          headers: [["Accept", accept]],
        });
      }
    }
  }
  for (const place of places(cookie)) {
    for (const [name, query] of Object.entries(queries)) {
      all.push({ ...place, name: `${place.name}: ${name}`, path: `${place.path}?${query}` });
    }
  }
  for (const place of [...places(cookie), ...posts(cookie)]) {
    for (const [name, own] of Object.entries(
      withHeaders.has(place.name) ? hostileHeaders(cookie) : {},
    )) {
      all.push({ ...place, name: `${place.name}: ${name}`, headers: [...own, ...place.headers] });
    }
    for (const method of methods) {
      all.push({ ...place, name: `${method} in the place of ${place.name}`, method });
    }
  }
  for (const place of posts(cookie)) {
    for (const [name, { type, body }] of Object.entries(bodies)) {
      const pieces = typeof body === "string" ? [body] : body;
      const typed: HeaderList = [["Content-Type", type], ...place.headers];
      all.push({ ...place, name: `${place.name}: ${name}`, headers: typed, body: pieces });
    }
  }
  return all;
}
