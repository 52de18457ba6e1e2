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

/**
 * The routes of the server build. A route's name is its pattern, such as "/songs/:songId/play", with the action's name
 * in the place of `:action`.
 */
export function createRouteTable(routes: Iterable<BuiltRoute>) {
  const addressed = [...routes].filter(({ path, index }) => path || index);
  const handles = new Map(
    addressed.flatMap(({ path = "", module }) => {
      const handle = (module?.handle ?? {}) as AnyRouteHandle;
      return Object.entries(handle.actions ?? { "": handle }).map(
        ([action, one]): [string, AnyRouteHandle] => [withAction(path, action), one],
      );
    }),
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
      const name = match && withAction(match.route.path ?? "", match.params.action?.toLowerCase());
      return name !== undefined && handles.has(name) && name !== "/*" ? name : unmatchedRoute;
    },
    handleOf: (name: string): AnyRouteHandle => handles.get(name) ?? {},
    pathsWhere: (test: (handle: AnyRouteHandle) => boolean) =>
      [...handles].filter(([, handle]) => test(handle)).map(([path]) => path),
  };
}

function withAction(path: string, action = ""): string {
  return `/${path.replace(":action", action)}`;
}
