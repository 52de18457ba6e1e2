import { toldOnce } from "~/platform/told-once";

/**
 * Whether a page has asked for its own data again by itself: every two minutes, when its tab shows
 * again, or after a post. The Referer is the page, as our Referrer-Policy lets browsers say; for a click
 * it is the page that the click was on. A click on a link to the page one is on looks like a re-read.
 * That costs nothing: what somebody does on a page, they post.
 */
export function isReread({ method, url, headers }: Request): boolean {
  // Most requests are none, and taking addresses apart is dear.
  if (method !== "GET" || !url.includes(".data")) return false;
  const { origin, pathname, searchParams } = new URL(url);
  const from = URL.parse(headers.get("Referer") ?? "");
  if (!pathname.endsWith(".data") || from?.origin !== origin) return false;
  const asked = pathname === "/_root.data" ? "/" : pathname.slice(0, -".data".length);
  // A path may be written with a slash at its end, which the address of its data loses.
  const shown = from.pathname.replace(/(.)\/$/, "$1");
  return asked === shown && ownQuery(searchParams) === ownQuery(from.searchParams);
}

/** A page's query without what Remix adds to it, or takes away, and without what its address loses. */
function ownQuery(query: URLSearchParams): string {
  const own = new URLSearchParams(query);
  for (const name of ["_routes", "index", ...toldOnce]) own.delete(name);
  return own.toString();
}
