import { matchRoutes } from "@remix-run/react";
import { isDecodable } from "./guard";

/** A route of the build, as far as its address goes. */
interface Route {
  path?: string | undefined;
  index?: boolean | undefined;
}

/** What is asked for and leads nowhere, whatever it says. */
export const unmatchedRoute = "*";

/**
 * Names the route that a path leads to by its pattern, such as "/songs/:songId/play": what logs and
 * limits go by. Matched as Remix matches it, letter case, escapes and all; the address of a page's
 * data counts as the page's.
 */
export function routeNames(routes: Iterable<Route>): (path: string) => string {
  const known = [...routes]
    .filter(({ path, index }) => path || index)
    .map(({ path = "", index = false }) => (index ? { index: true as const } : { path }));
  // Most requests name a route letter by letter; matching ranks all of them anew each time.
  const plain = new Set(
    known.map(({ path = "" }) => `/${path}`).filter((pattern) => !/[:*]/.test(pattern)),
  );
  return (path) => {
    if (plain.has(path)) return path;
    // The router would write it into the log.
    if (!isDecodable(path)) return unmatchedRoute;
    const isData = path.endsWith(".data");
    const page = isData ? path.slice(0, -".data".length) : path;
    const match = matchRoutes(known, isData && page === "/_root" ? "/" : page)?.[0];
    const pattern = match?.route.path;
    return match && pattern !== "*" ? `/${pattern ?? ""}` : unmatchedRoute;
  };
}
