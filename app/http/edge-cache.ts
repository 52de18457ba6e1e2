/**
 * Cloudflare's cache for pages that are the same for everybody and change seldom: in each of its places by
 * itself, and for as long as a page's own Cache-Control allows.
 */
import { logEvent } from "~/platform/log";
import { isDataRequest } from "./data-request";

/** Workers have one cache that needs no name; the browsers' types do not know of it. */
const edge = () => (caches as unknown as { default: Cache }).default;

/**
 * Checks whether a kept page may answer a request, whatever its query. The path must be spelled as links
 * spell it: a page kept under another spelling could not be forgotten when it is taken back.
 * @param pattern of the route, such as "/r/:token".
 */
export function isForEverybody({ method }: Request, url: URL, pattern: string): boolean {
  const [start = ""] = pattern.split(":");
  const isAsLinked = url.pathname.startsWith(start) && !/%|\/$/.test(url.pathname);
  return method === "GET" && isAsLinked && !isDataRequest(url);
}

/**
 * The kept page of a path, or else a new one, which is kept if all went well.
 * @param origin of the app, such as https://fivefold.example.
 * @param render renders the page as it is without a query.
 */
export async function serveFromEdge(
  { origin, path, execution }: { origin: string; path: string; execution: ExecutionContext },
  render: () => Promise<Response>,
): Promise<Response> {
  const kept = await edge().match(origin + path);
  if (kept) return kept;
  const response = await render();
  if (response.status === 200 && !response.headers.has("Set-Cookie")) {
    execution.waitUntil(
      edge()
        .put(origin + path, response.clone())
        .catch((error) => logEvent("edge_cache_failed", { error })),
    );
  }
  return response;
}

/** Forgets the pages of paths here at once. Elsewhere they end by themselves. */
export async function forgetAtEdge(origin: string, ...paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => edge().delete(origin + path)));
}
