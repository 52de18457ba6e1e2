/**
 * Pages that are the same for everybody and change seldom, kept by Cloudflare where they were asked for:
 * for as long as their own Cache-Control allows, and in each place by itself.
 */
import { logEvent } from "~/platform/log";
import { isDataRequest } from "./data-request";

/** Workers have one cache that needs no name; the browsers' types do not know of it. */
const edge = () => (caches as unknown as { default: Cache }).default;

/**
 * Whether a request may be answered with a kept page, whatever its query. Only the one spelling of the
 * path that links have: under another one, a page that was taken back could not be forgotten.
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

/** Forgets the page of a path here at once. Elsewhere it ends by itself. */
export async function forgetAtEdge(origin: string, path: string): Promise<void> {
  await edge().delete(origin + path);
}
