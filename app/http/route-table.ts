import { matchRoutes } from "@remix-run/react";
import { isDecodable } from "./guard";
import type { AnyRouteHandle } from "./route-handle";

export const notFoundRoute = "/*";

interface BuiltRoute {
  path?: string | undefined;
  index?: boolean | undefined;
  module?: { handle?: unknown };
}

export const unmatchedRoute = "*";

export type RouteTable = ReturnType<typeof createRouteTable>;

/** The routes of the server build. A route's name is its pattern, such as "/songs/:songId/play". */
export function createRouteTable(routes: Iterable<BuiltRoute>) {
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
    /** Treats letter case and escapes as Remix does. */
    nameOf(path: string): string {
      // Most requests spell a route's path exactly, and matching ranks all routes each time.
      if (handles.has(path) && !/[:*]/.test(path)) return path;
      // The router would write a path that it cannot decode into the log.
      if (!isDecodable(path)) return unmatchedRoute;
      const match = matchRoutes(candidates, path)?.[0];
      const pattern = match?.route.path;
      return match && pattern !== "*" ? `/${pattern ?? ""}` : unmatchedRoute;
    },
    handleOf: (name: string): AnyRouteHandle => handles.get(name) ?? {},
    pathsWhere: (test: (handle: AnyRouteHandle) => boolean) =>
      [...handles].filter(([, handle]) => test(handle)).map(([path]) => path),
  };
}
