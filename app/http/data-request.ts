import { removeOneTimeParameters } from "~/platform/one-time-parameters";

/** Private to Remix, so no other file may name it (test/unit/private-names.test.ts). */
const parameter = "_data";

export function isDataRequest({ searchParams }: URL): boolean {
  return searchParams.has(parameter);
}

/** Checks by the Referer whether a page reads its own data again. A click on a link to itself counts too. */
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
