import type { ServerBuild } from "@remix-run/cloudflare";
import { isRefusal, type Refusal, refuse } from "~/domain/refusal";
import { type Bindings, isLoopback, readConfig } from "~/platform/env";
import { logEvent, withLogScope } from "~/platform/log";
import { internalError, replaceBareError } from "./bare-errors.server";
import { routeHandlers } from "./bundle/route-handlers";
import { createContext } from "./context.server";
import { isForEverybody, serveFromEdge } from "./edge-cache";
import { refusalResponse } from "./error-response.server";
import { guardRequest, maxUrlLength, refuseExcess } from "./guard";
import { isVisitorRequest, servePublicPage, visitorQuery } from "./public-page-cache";
import { isAddressLimited, isRateLimited, limitPeriodSeconds } from "./rate-limit";
import type { AnyRouteHandle } from "./route-handle";
import { createRouteTable, unmatchedRoute } from "./route-table";
import { addSecurityHeaders } from "./security-headers";

const tooManyRequests = refuse(
  429,
  "That was a lot in a short time. Please wait a minute and try again.",
  { secondsLeft: limitPeriodSeconds },
);

/** What every request to the app of a build passes through, from the first line of the log to the last. */
export function createRequestPipeline(build: ServerBuild) {
  const routes = createRouteTable(Object.values(build.routes).filter((route) => !!route));
  const handlerOf = routeHandlers(build);

  return async function handleRequest(
    request: Request,
    env: Bindings,
    execution: ExecutionContext,
  ): Promise<Response> {
    // Taking a long address apart costs more than refusing it; what is cut off is too much in any case.
    const url = new URL(request.url.slice(0, maxUrlLength));
    const startedAt = Date.now();
    const requestId = crypto.randomUUID();
    const excess = refuseExcess(request, url);
    const route = excess ? unmatchedRoute : routes.nameOf(url.pathname);
    return withLogScope({ requestId, route, metrics: env.METRICS }, async () => {
      const response = await respond({ request, url, excess, route, env, execution });
      const { status } = response;
      logEvent("request", { method: request.method, status, ms: Date.now() - startedAt });
      return addSecurityHeaders(response, { requestId, https: url.protocol === "https:" });
    });
  };

  async function respond({ request, url, excess, route, env, execution }: IncomingRequest) {
    try {
      const { development, analytics, appOrigin } = readConfig(env);
      if (development && !isLoopback(url)) return developmentOnly();
      if (excess) return refusalResponse(request, excess);
      if (!development && url.protocol === "http:") return overHttps(request, url, appOrigin);
      const guarded = guardRequest(request, url);
      if (isRefusal(guarded)) return refusalResponse(request, guarded);

      // A page that is kept for others must not read what one of them has written into its address.
      const handle = routes.handleOf(route);
      const served = { route, handle, env, execution };
      // With analytics, each page contains a nonce of its own.
      const isShared = handle.sameForVisitors && url.pathname === route && !analytics;
      if (isShared && isVisitorRequest(guarded, url)) {
        const asked = withQuery(guarded, url, visitorQuery(url));
        return await servePublicPage(asked, env, () => renderForVisitors(asked, served));
      }
      if (handle.sameForEverybody && isForEverybody(guarded, url, route)) {
        const asked = withQuery(guarded, url, "");
        const page = { origin: appOrigin, path: url.pathname, execution };
        return await serveFromEdge(page, () => answer(asked, served));
      }
      return await answer(guarded, served);
    } catch (error) {
      logEvent("request_failed", { error });
      return refusalResponse(request, internalError);
    }
  }

  async function renderForVisitors(asked: Request, served: ServedRoute): Promise<Response> {
    return handlerOf(served.route)(asked, await createContext(asked, { ...served, routes }));
  }

  /** The answer of a route to one caller, unless there were too many requests of theirs. */
  async function answer(asked: Request, served: ServedRoute): Promise<Response> {
    const { route, handle, env } = served;
    const context = await createContext(asked, { ...served, routes });
    const { sessionId } = context;
    const limited = { request: asked, route, handle };
    if (await isRateLimited({ ...limited, sessionId }, env)) {
      return refusalResponse(asked, tooManyRequests);
    }
    const response = await handlerOf(route)(asked, context);
    // Without a login, nothing has been done that a refusal could leave half done.
    if (context.hasEndedLogin() && (await isAddressLimited(limited, env))) {
      return refusalResponse(asked, tooManyRequests);
    }
    const refusal = replaceBareError(asked, response, context.fault());
    return withCookie(
      refusal ? refusalResponse(asked, refusal) : response,
      await context.bookmark(),
    );
  }
}

/** The route that a request has been led to. */
interface ServedRoute {
  /** Its name in the route table. */
  route: string;
  handle: AnyRouteHandle;
  env: Bindings;
  execution: ExecutionContext;
}

interface IncomingRequest {
  request: Request;
  url: URL;
  /** Why the request is not looked at any further. */
  excess: Refusal | null;
  /** The route's name in the route table. */
  route: string;
  env: Bindings;
  execution: ExecutionContext;
}

function withQuery(request: Request, { origin, pathname, search }: URL, query: string): Request {
  if (search === query) return request;
  return new Request(origin + pathname + query, request);
}

function withCookie(response: Response, cookie: string | null): Response {
  if (!cookie) return response;
  const answer = new Response(response.body, response);
  answer.headers.append("Set-Cookie", cookie);
  return answer;
}

/** Leads a page over to https. Anything else has already told the network what it must not know. */
function overHttps(request: Request, { pathname, search }: URL, appOrigin: string): Response {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return refusalResponse(request, refuse(403, "Please use https. Nothing was changed."));
  }
  return new Response(null, {
    status: 308,
    headers: { Location: `${appOrigin}${pathname}${search}` },
  });
}

function developmentOnly(): Response {
  const text = "This is a development configuration. It only answers on this machine.";
  return new Response(text, {
    status: 503,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
