import { type Refusal, refuse } from "~/domain/refusal";

/** Mail clients unsubscribe from where they are, some of them in a browser (RFC 8058). */
const unsubscribePath = "/unsubscribe";

/**
 * Where Remix's own scripts ask which routes there are. It tries every prefix of every path asked
 * for, so that a long question would take it a second of computing (GHSA-chx6-hx7r-mcp5, which is
 * not mended in Remix v2); theirs name a path or two.
 */
const manifestPath = "/__manifest";
const longestManifestQuery = 300;

/** What Remix would take for a write, whatever the route makes of it, is POST alone. */
const methods = ["GET", "HEAD", "POST"];

/**
 * A request as the app may be given it: one by a method or to an address that nobody uses is refused,
 * one that another site made the browser write is refused, one
 * to unsubscribe counts by what it says alone, a GET goes without its body.
 */
export function guardRequest(request: Request, url: URL): Request | Refusal {
  if (!methods.includes(request.method)) {
    return refuse(405, "Requests of this kind are not answered here.");
  }
  if (!isDecodable(url.pathname)) return refuse(400, "This address cannot be read.");
  if (url.pathname === manifestPath && url.search.length > longestManifestQuery) {
    return refuse(400, "That is too much to ask for at once.");
  }
  if (!isForeign(request, url)) return withoutIdleBody(request);
  if (url.pathname === unsubscribePath) return withoutOrigin(request);
  return refuse(403, "This request came from another site.");
}

/** Whether another site makes the browser write. Cookies are SameSite=Lax; this goes without. */
function isForeign({ method, headers }: Request, { origin }: URL): boolean {
  const from = headers.get("Origin");
  return method !== "GET" && method !== "HEAD" && from !== null && from !== origin;
}

/** A request that counts by what it says alone, wherever and from whomever it comes. */
function withoutOrigin(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  headers.delete("Cookie");
  return new Request(request, { headers });
}

/** Remix cannot copy a GET that has a body, which is legal and means nothing (RFC 9110, 9.3.1). */
function withoutIdleBody(request: Request): Request {
  const { url, method, body, signal } = request;
  if (body === null || (method !== "GET" && method !== "HEAD")) return request;
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  return new Request(url, { method, headers, signal });
}

/** Whether a path's escapes spell text. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
