import { type Rejection, reject } from "~/platform/rejection";
import { isDataRequest } from "./data-request";

/** Mail clients send unsubscribe requests from wherever they run, some from a browser (RFC 8058). */
const unsubscribePath = "/unsubscribe";

/** In characters and number of headers. The cost of matching a path grows with the square of its slashes. */
const limits = { path: 1024, query: 4096, headers: 100, headerLength: 16_384 };

export const maxUrlLength = 8192;

export function refuseExcess({ headers }: Request, { pathname, search }: URL): Rejection | null {
  if (pathname.length > limits.path || pathname.includes("//")) {
    return reject(404, "There is no such page. Perhaps there is a typo in the address.");
  }
  if (search.length > limits.query) {
    return reject(414, "This address is too long to be read. Start again from the homepage.");
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

/** Remix treats any other method as a write. */
const methods = ["GET", "HEAD", "POST"];

/**
 * The request as the app may see it. Rejects methods and addresses that nobody uses, and writes that another
 * site made the browser send. A request to unsubscribe loses its cookies instead, because its token counts.
 */
export function guardRequest(request: Request, url: URL): Request | Rejection {
  if (!methods.includes(request.method)) {
    return reject(405, "This kind of request is not supported here. Nothing was changed.");
  }
  if (!isDecodable(url.pathname) || (request.method === "POST" && isDataRequest(url))) {
    return reject(400, "This address cannot be read. Perhaps there is a typo in it.");
  }
  if (!isCrossSiteWrite(request, url)) return withoutUnusedBody(request);
  if (url.pathname === unsubscribePath) return withoutCookies(request);
  return reject(
    403,
    "This came from another site, so nothing was changed. Open Fivefold and try again there.",
  );
}

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

/** Remix cannot copy a GET with a body, which is legal (RFC 9110, 9.3.1). */
function withoutUnusedBody(request: Request): Request {
  const { url, method, body, signal } = request;
  if (body === null || (method !== "GET" && method !== "HEAD")) return request;
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  return new Request(url, { method, headers, signal });
}

/** "prefetch", "prefetch;prerender", and what browsers sent before there was one header for it. */
const unseenHeaders = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"];

/**
 * What a browser loads in advance, perhaps never to be seen, by somebody whom a cookie tells: it would mark ratings as
 * seen, or be taken for a visit. Browsers drop a refused one, and load the page when it is opened. Pages that are the
 * same for all need no refusal.
 */
export function refuseUnseen({ method, headers }: Request): Rejection | null {
  if (method === "POST" || !headers.get("Cookie")?.includes("__Host-")) return null;
  const isUnseen = unseenHeaders.some((name) =>
    /prefetch|prerender|preview/.test(headers.get(name) ?? ""),
  );
  return isUnseen ? reject(503, "This page is loaded once it is opened.") : null;
}

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
