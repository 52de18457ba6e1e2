import { matchRoutes } from "@remix-run/react";
import { isDecodable } from "./guard";
import type { AnyRouteHandle } from "./route-handle";

/** The route that answers them (`app/routes/$.tsx`). */
export const notFoundRoute = "/*";

/** A route of Remix's server build, as far as the table needs it. */
interface BuiltRoute {
  path?: string | undefined;
  index?: boolean | undefined;
  module?: { handle?: unknown };
}

/** The name of every address that leads to no route. */
export const unmatchedRoute = "*";

/** The routes by name. A route's name is its pattern, such as "/songs/:songId/play". */
export interface RouteTable {
  /**
   * The name of the route that a path leads to, for logs and limits. Treats letter case and escapes as Remix
   * does.
   */
  nameOf(path: string): string;
  /** The route's handle; an empty one for an unmatched route. */
  handleOf(name: string): AnyRouteHandle;
  /** The paths of the routes whose handle passes the test. */
  pathsWhere(test: (handle: AnyRouteHandle) => boolean): string[];
}

/** Builds the table from the routes of the server build. */
export function createRouteTable(routes: Iterable<BuiltRoute>): RouteTable {
  const addressed = [...routes].filter(({ path, index }) => path || index);
  const handles = new Map(
    addressed.map(({ path = "", module }) => [
      `/${path}`,
      (module?.handle ?? {}) as AnyRouteHandle,
    ]),
  );
  const candidates = addressed.map(({ path = "", index = false }) =>
    index ? { index: true as const } : { path },
  );
  return {
    nameOf(path) {
      // Most requests spell a route's path exactly; matching ranks all routes anew each time.
      if (handles.has(path) && !/[:*]/.test(path)) return path;
      // The router would write a path that it cannot decode into the log.
      if (!isDecodable(path)) return unmatchedRoute;
      const match = matchRoutes(candidates, path)?.[0];
      const pattern = match?.route.path;
      return match && pattern !== "*" ? `/${pattern ?? ""}` : unmatchedRoute;
    },
    handleOf: (name) => handles.get(name) ?? {},
    pathsWhere: (test) => [...handles].filter(([, handle]) => test(handle)).map(([path]) => path),
  };
}
