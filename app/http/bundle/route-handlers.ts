import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/cloudflare";

/**
 * Remix's request handlers, one per route name, each made when it is first needed. Remix ranks and
 * tries all the routes it knows four times a request, which is a sixth of the carousel's processor time;
 * each of these handlers knows only its own route. Unmatched addresses get a handler that knows all of
 * them. Remix does not promise that part of a build is enough (test/unit/private-names.test.ts).
 */
export function routeHandlers(build: ServerBuild): (name: string) => RequestHandler {
  // `partOf` leaves out layouts between the root and a route.
  const isNested = Object.values(build.routes).some(
    (route) => (route?.parentId ?? "root") !== "root",
  );
  if (isNested) throw new Error("Every route must be a child of the root.");
  const handlers = new Map<string, RequestHandler>();
  return (name) => {
    const existing = handlers.get(name);
    if (existing) return existing;
    const handler = createRequestHandler(partOf(build, name), "production");
    handlers.set(name, handler);
    return handler;
  };
}

/** A build with the root and the named route alone; the whole build if no route has that name. */
function partOf(build: ServerBuild, name: string): ServerBuild {
  const exists = Object.values(build.routes).some((route) => route && isNamed(route, name));
  if (!exists) return build;
  function needed<Route extends { path?: string; index?: boolean; parentId?: string }>(
    routes: Record<string, Route | undefined>,
  ) {
    const chosen = Object.entries(routes).filter(
      ([, route]) => !route?.parentId || isNamed(route, name),
    );
    return Object.fromEntries(chosen);
  }
  return {
    ...build,
    routes: needed(build.routes),
    assets: { ...build.assets, routes: needed(build.assets.routes) },
  } as ServerBuild;
}

function isNamed(route: { path?: string; index?: boolean }, name: string): boolean {
  const pattern = route.index ? "/" : `/${route.path}`;
  return pattern === name || pattern === name.replace(/[^/]+$/, ":action");
}
