import { removeOneTimeParameters } from "~/platform/one-time-parameters";

/** Private to Remix, so no other file may name it (test/unit/private-names.test.ts). */
const parameter = "_data";

/** Checks whether Remix's scripts ask for a page's data alone. */
export function isDataRequest({ searchParams }: URL): boolean {
  return searchParams.has(parameter);
}

/**
 * Checks whether a page has asked for its own data again by itself: the Referer then names that page. A click
 * on a link to the same page looks the same, which does no harm because activity on a page is posted.
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

function ownQuery(query: URLSearchParams): string {
  const own = new URLSearchParams(query);
  for (const name of [parameter, "index"]) own.delete(name);
  removeOneTimeParameters(own);
  return own.toString();
}
