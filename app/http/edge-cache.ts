import { logEvent } from "~/platform/log";
import { isDataRequest } from "./data-request";

const edge = () => (caches as unknown as { default: Cache }).default;

/**
 * Checks whether a kept page may answer a request, whatever its query. The path must be spelled as links
 * spell it, because a page kept under another spelling could not be forgotten.
 */
export function mayUseEdgePage({ method }: Request, url: URL, pattern: string): boolean {
  const [start = ""] = pattern.split(":");
  const isAsLinked = url.pathname.startsWith(start) && !/%|\/$/.test(url.pathname);
  return method === "GET" && isAsLinked && !isDataRequest(url);
}

/** The page of a path from Cloudflare's cache, which keeps it as long as its Cache-Control says. */
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

/** Each of Cloudflare's places has a cache of its own, and only this one forgets at once. */
export async function forgetAtEdge(origin: string, ...paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => edge().delete(origin + path)));
}
