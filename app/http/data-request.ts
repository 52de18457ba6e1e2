import { removeOneTimeParameters } from "~/platform/one-time-parameters";

/**
 * With this in the query of a page's address, Remix's scripts ask for the page's data alone. Remix keeps
 * the name to itself, and so does this file (test/unit/private-names.test.ts).
 */
const parameter = "_data";

/** Checks whether Remix's scripts ask for a page's data alone. */
export function isDataRequest({ searchParams }: URL): boolean {
  return searchParams.has(parameter);
}

/**
 * Checks whether a page has asked for its own data again by itself: every two minutes, when its tab shows
 * again, or after a post. The Referer then names the page itself, which our Referrer-Policy allows; for a
 * click it names the page that the click was on. A click on a link to the same page looks like a re-read.
 * That does no harm: whatever counts as activity on a page is posted.
 */
export function isReread({ method, url, headers }: Request): boolean {
  const address = new URL(url);
  if (method !== "GET" || !isDataRequest(address)) return false;
  const page = URL.parse(headers.get("Referer") ?? "");
  return (
    address.origin === page?.origin &&
    address.pathname === page.pathname &&
    ownQuery(address.searchParams) === ownQuery(page.searchParams)
  );
}

/** A page's query without Remix's own parameters, and without one-time parameters. */
function ownQuery(query: URLSearchParams): string {
  const own = new URLSearchParams(query);
  for (const name of [parameter, "index"]) own.delete(name);
  removeOneTimeParameters(own);
  return own.toString();
}
