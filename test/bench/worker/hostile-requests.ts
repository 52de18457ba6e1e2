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

/** Paths to GET, with and without a login: one of each kind. */
function places(cookie: string): Omit<HostileRequest, "body">[] {
  const member: HeaderList = [["Cookie", cookie]];
  const get = (path: string, headers: HeaderList = []) => ({
    name: `GET ${path}${headers.length > 0 ? " (member)" : ""}`,
    method: "GET",
    path,
    headers,
  });
  return [
    get("/no-such-page"),
    get("/"),
    get("/faq"),
    get("/account"),
    get("/?_data=routes/_index"),
    get("/__manifest"),
    get("/player/token"),
    get("/health"),
    get("/auth/spotify/callback"),
    get("/unsubscribe"),
    get("/confirm-email"),
    get("/subscription-success"),
    get("/no-such-page", member),
    get("/", member),
    get("/account", member),
    get("/ratings-of-my-songs", member),
  ];
}

/** Paths to post to. */
function posts(cookie: string): Omit<HostileRequest, "body">[] {
  const post = (path: string, headers: HeaderList = []) => ({
    name: `POST ${path}${headers.length > 0 ? " (member)" : ""}`,
    method: "POST",
    path,
    headers,
  });
  return [
    post("/no-such-page"),
    post("/login"),
    post("/webhooks/stripe"),
    post("/webhooks/resend"),
    post("/unsubscribe?token=x"),
    post("/confirm-email?token=x"),
    post("/checkout-session/lookup"),
    post("/songs/x/rating"),
    post("/songs/x/rating", [["Cookie", cookie]]),
    post("/submissions", [["Cookie", cookie]]),
    post("/account/email", [["Cookie", cookie]]),
    post("/email-preference", [["Cookie", cookie]]),
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
