import { type Rejection, reject } from "~/platform/rejection";
import { isDataRequest } from "./data-request";

/** Mail clients send unsubscribe requests from wherever they run, some from a browser (RFC 8058). */
const unsubscribePath = "/unsubscribe";

/**
 * Limits of a request, in characters and number of headers. The router and Remix take a path apart with
 * patterns whose cost grows with the square of its slashes; headers, cookies and queries are gone through
 * several times. Nothing that the product sends or receives comes near these limits.
 */
const limits = { path: 1024, query: 4096, headers: 100, headerLength: 16_384 };

/** No address within the limits is longer, in characters. */
export const maxUrlLength = 8192;

/**
 * Refuses a request that would cost much to read. The first guard: it comes before routing, and before
 * anything reads a header.
 */
export function refuseExcess({ headers }: Request, { pathname, search }: URL): Rejection | null {
  if (pathname.length > limits.path || pathname.includes("//")) {
    return reject(404, "There is no such page. Perhaps there is a typo in the address.");
  }
  if (search.length > limits.query) {
    return reject(
      414,
      "This address is too long to be read. Please start again from the homepage.",
    );
  }
  let count = 0;
  let length = 0;
  for (const [name, value] of headers) {
    count += 1;
    length += name.length + value.length;
    if (count > limits.headers || length > limits.headerLength) {
      return reject(431, "Your browser sent too much data. Deleting this site's cookies may help.");
    }
  }
  return null;
}

/** Remix would treat any other method as a write, whatever the route makes of it. */
const methods = ["GET", "HEAD", "POST"];

/**
 * The request in the form in which the app may see it. Refuses methods and addresses that nobody
 * uses, and writes that another site made the browser send. A request to unsubscribe loses its
 * cookies, because only its token counts; a GET loses its body.
 */
export function guardRequest(request: Request, url: URL): Request | Rejection {
  if (!methods.includes(request.method)) {
    return reject(405, "This kind of request is not supported here. Nothing was changed.");
  }
  // Pages only read their data in this way.
  if (!isDecodable(url.pathname) || (request.method === "POST" && isDataRequest(url))) {
    return reject(400, "This address cannot be read. Perhaps there is a typo in it.");
  }
  if (!isCrossSiteWrite(request, url)) return withoutUnusedBody(request);
  if (url.pathname === unsubscribePath) return withoutCookies(request);
  return reject(
    403,
    "This request came from another site, so nothing was changed. Please open Fivefold and try again there.",
  );
}

/**
 * Checks whether another site made the browser send a write. The session cookie is SameSite=Lax; this check
 * does not depend on it.
 */
function isCrossSiteWrite({ method, headers }: Request, { origin }: URL): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const from = headers.get("Origin");
  return from === null ? headers.get("Sec-Fetch-Site") === "cross-site" : from !== origin;
}

function withoutCookies(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Origin");
  headers.delete("Cookie");
  return new Request(request, { headers });
}

/** Remix cannot copy a GET that has a body, which is legal but meaningless (RFC 9110, 9.3.1). */
function withoutUnusedBody(request: Request): Request {
  const { url, method, body, signal } = request;
  if (body === null || (method !== "GET" && method !== "HEAD")) return request;
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  return new Request(url, { method, headers, signal });
}

/** Checks whether the percent escapes of a path can be decoded. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
