import { removeToldOnce } from "~/platform/told-once";

/**
 * With this in the query of a page's address, Remix's scripts ask for the page's data alone. Remix keeps
 * the name to itself, and so does this file (test/unit/private-names.test.ts).
 */
const parameter = "_data";

/** Whether Remix's scripts ask for a page's data alone. */
export function isDataRequest({ searchParams }: URL): boolean {
  return searchParams.has(parameter);
}

/**
 * Whether a page has asked for its own data again by itself: every two minutes, when its tab shows
 * again, or after a post. The Referer is the page, as our Referrer-Policy lets browsers say; for a click
 * it is the page that the click was on. A click on a link to the page one is on looks like a re-read.
 * That costs nothing: what somebody does on a page, they post.
 */
export function isReread({ method, url, headers }: Request): boolean {
  const asked = new URL(url);
  if (method !== "GET" || !isDataRequest(asked)) return false;
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
  for (const name of [parameter, "index"]) own.delete(name);
  removeToldOnce(own);
  return own.toString();
}
