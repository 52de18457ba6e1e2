import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { unmatchedRoute } from "~/http/route-name";

/**
 * Remix's request handlers, one for each route by its pattern, made when it is first asked for. Remix
 * ranks and tries all routes it knows four times a request, which is a quarter of what the carousel
 * costs; each of these knows the routes that its own pages need. What leads nowhere, and Remix's own
 * address that tells browsers of routes, has one that knows all.
 */
export function routeHandlers(build: ServerBuild): (name: string) => RequestHandler {
  // A part has no layouts between the root and its route.
  const isNested = Object.values(build.routes).some(
    (route) => (route?.parentId ?? "root") !== "root",
  );
  if (isNested) throw new Error("Every route hangs on the root here");
  const handlers = new Map<string, RequestHandler>();
  return (name) => {
    const known = handlers.get(name);
    if (known) return known;
    const handler = createRequestHandler(partOf(build, name), "production");
    handlers.set(name, handler);
    return handler;
  };
}

/** A build with the root, the start page, which browsers are told of with every page, and one route. */
function partOf(build: ServerBuild, name: string): ServerBuild {
  if (name === unmatchedRoute) return build;
  function needed<Route extends { path?: string; index?: boolean; parentId?: string }>(
    routes: Record<string, Route | undefined>,
  ) {
    const chosen = Object.entries(routes).filter(
      ([, route]) => !route?.parentId || route.index || `/${route.path}` === name,
    );
    return Object.fromEntries(chosen);
  }
  return {
    ...build,
    routes: needed(build.routes),
    assets: { ...build.assets, routes: needed(build.assets.routes) },
  } as ServerBuild;
}
