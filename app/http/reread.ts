import { toldOnce } from "~/platform/told-once";

/**
 * Whether a page has asked for its own data again by itself: every two minutes, when its tab shows
 * again, or after a post. The Referer is the page, as our Referrer-Policy lets browsers say; for a click
 * it is the page that the click was on. A click on a link to the page one is on looks like a re-read.
 * That costs nothing: what somebody does on a page, they post.
 */
export function isReread({ method, url, headers }: Request): boolean {
  const asked = new URL(url);
  if (method !== "GET" || !asked.searchParams.has("_data")) return false;
  const from = URL.parse(headers.get("Referer") ?? "");
  return (
    asked.origin === from?.origin &&
    asked.pathname === from.pathname &&
    ownQuery(asked.searchParams) === ownQuery(from.searchParams)
  );
}

/** A page's query without what Remix adds to it, or takes away, and without what its address loses. */
function ownQuery(query: URLSearchParams): string {
  const own = new URLSearchParams(query);
  for (const name of ["_data", "index", ...toldOnce]) own.delete(name);
  return own.toString();
}
