import type { ServerBuild } from "@remix-run/cloudflare";
import { isStall } from "~/db/stall";
import { isAmong } from "~/members/identity";
import { type Bindings, isLoopback, readConfig } from "~/platform/env";
import { countEvent, logEvent, withLogScope } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { routeHandlers } from "./bundle/route-handlers";
import { createContext, type RequestContext } from "./context.server";
import { isDataRequest } from "./data-request";
import { mayUseEdgePage, serveFromEdge } from "./edge-cache";
import {
  internalError,
  rejectionResponse,
  replaceBareError,
  stalledError,
} from "./error-response.server";
import { guardRequest, maxUrlLength, refuseExcess, refuseUnseen } from "./guard";
import { isVisitorRequest, servePublicPage, visitorQuery } from "./public-page-cache";
import { isAddressLimited, isRateLimited, tooManyRequests } from "./rate-limit";
import type { AnyRouteHandle } from "./route-handle";
import { createRouteTable, notFoundRoute, unmatchedRoute } from "./route-table";
import { addSecurityHeaders } from "./security-headers";
import { withWholeBody } from "./whole-body.server";

/** `countAlarms` gets how often each event was logged meanwhile. */
export function createRequestPipeline(
  build: ServerBuild,
  countAlarms: (db: D1Database, seen: ReadonlyMap<string, number>, now: number) => Promise<void>,
) {
  const routes = createRouteTable(Object.values(build.routes).filter((route) => !!route));
  const handlerOf = routeHandlers(build);

  return async function handleRequest(
    request: Request,
    env: Bindings,
    execution: ExecutionContext,
  ): Promise<Response> {
    // Parsing a long address costs more than refusing it; a cut one is refused in any case.
    const url = new URL(request.url.slice(0, maxUrlLength));
    const startedAt = Date.now();
    const requestId = crypto.randomUUID();
    const excess = refuseExcess(request, url);
    const route = excess ? unmatchedRoute : routes.nameOf(url.pathname);
    const alarmCounts = new Map<string, number>();
    return withLogScope({ requestId, route, metrics: env.METRICS, seen: alarmCounts }, async () => {
      const response = await respond({ request, url, excess, route, env, execution });
      const { status } = response;
      const told = { method: request.method, status, ms: Date.now() - startedAt };
      if (isUnremarkable(told)) countEvent("request", told);
      else logEvent("request", told);
      execution.waitUntil(countAlarms(env.DB, alarmCounts, Date.now()));
      return addSecurityHeaders(response, { requestId, https: url.protocol === "https:" });
    });
  };

  async function respond({ request, url, excess, route, env, execution }: IncomingRequest) {
    try {
      const { development, appOrigin, offers } = readConfig(env);
      if (development && !isLoopback(url)) return developmentOnly();
      if (excess) return rejectionResponse(request, excess);
      if (!development && url.protocol === "http:") return overHttps(request, url, appOrigin);
      const guarded = guardRequest(request, url);
      if (isRejection(guarded)) return rejectionResponse(request, guarded);

      const asked = routes.handleOf(route);
      const isSold = offers.premium !== "none" || !asked.forPremium;
      const served = isSold
        ? { route, handle: asked, env, execution }
        : { route: notFoundRoute, handle: {}, env, execution };
      const kept = pageForVisitors(guarded, url, served) ?? pageForEverybody(guarded, url, served);
      if (kept) return await kept;
      const unseen = refuseUnseen(guarded);
      return unseen ? rejectionResponse(request, unseen) : await answer(guarded, served);
    } catch (error) {
      logEvent("request_failed", { error });
      return rejectionResponse(request, isStall(error) ? stalledError(request) : internalError);
    }
  }

  /** Must not read the visitor's own query, because all visitors get the page. */
  function pageForVisitors(request: Request, url: URL, served: ServedRoute) {
    const { route, handle, env } = served;
    const isKept = handle.sameForVisitors && url.pathname === route && !readConfig(env).analytics;
    if (!isKept || !isVisitorRequest(request, url)) return null;
    const plain = withQuery(request, url, visitorQuery(url));
    return servePublicPage(plain, env, async () =>
      handlerOf(route)(plain, await createContext(plain, { ...served, routes })),
    );
  }

  function pageForEverybody(request: Request, url: URL, served: ServedRoute) {
    const { route, handle, env, execution } = served;
    if (!handle.sameForEverybody || !mayUseEdgePage(request, url, route)) return null;
    const plain = withQuery(request, url, "");
    const page = { origin: readConfig(env).appOrigin, path: url.pathname, execution };
    return serveFromEdge(page, () => answer(plain, served));
  }

  /** Limits are counted before the body is read, and the viewer is read after it. */
  async function answer(request: Request, asked: ServedRoute): Promise<Response> {
    const context = await createContext(request, { ...asked, routes });
    const { forOperators, maxBodyBytes, streamsBody } = asked.handle;
    if (!forOperators && (await isOverLimit(context, request, asked))) {
      return rejectionResponse(request, tooManyRequests);
    }
    const whole = streamsBody ? request : await withWholeBody(request, maxBodyBytes);
    if (isRejection(whole)) return rejectionResponse(request, whole);
    if (!forOperators) return answerWith(context, whole, asked);
    const served = await forOperatorsAlone(context, request, asked);
    return (await isOverLimit(context, request, served))
      ? rejectionResponse(request, tooManyRequests)
      : answerWith(context, whole, served);
  }

  function isOverLimit({ sessionId }: RequestContext, request: Request, served: ServedRoute) {
    return isRateLimited({ request, ...served, sessionId }, served.env);
  }

  async function answerWith(
    context: RequestContext,
    request: Request,
    { route, handle, env }: ServedRoute,
  ): Promise<Response> {
    const response = await handlerOf(route)(request, context);
    const nowhere = context.nowhere();
    const answered = nowhere
      ? await handlerOf(notFoundRoute)(request, { ...context, viewer: nowhere })
      : response;
    // Without a login, nothing has been done that a refusal could leave half done.
    const limited = { request, route, handle };
    if (!nowhere && context.hasEndedLogin() && (await isAddressLimited(limited, env))) {
      return rejectionResponse(request, tooManyRequests);
    }
    const rejection = replaceBareError(request, answered, context.fault());
    return withCookie(
      rejection ? rejectionResponse(request, rejection) : answered,
      await context.bookmark(),
    );
  }
}

/**
 * For everybody but operators, an address that leads nowhere takes the route's place. That one reads the viewer too,
 * so both take the same time.
 */
async function forOperatorsAlone(context: RequestContext, { url }: Request, asked: ServedRoute) {
  const nowhere = { ...asked, route: notFoundRoute, handle: {} };
  if (isDataRequest(new URL(url))) return nowhere;
  const viewer = await context.viewer().catch(() => null);
  context.viewer = async () => viewer;
  return viewer && isAmong(context.config.operators, viewer) ? asked : nowhere;
}

interface ServedRoute {
  route: string;
  handle: AnyRouteHandle;
  env: Bindings;
  execution: ExecutionContext;
}

interface IncomingRequest {
  request: Request;
  url: URL;
  excess: Rejection | null;
  route: string;
  env: Bindings;
  execution: ExecutionContext;
}

/** Of such requests, a line each would cost a tenth of the landing page, and say nothing. */
function isUnremarkable({ method, status, ms }: { method: string; status: number; ms: number }) {
  return (method === "GET" || method === "HEAD") && status < 300 && ms < 1000;
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

/** Rejects a post, because its contents went over the network in the clear. */
function overHttps(request: Request, { pathname, search }: URL, appOrigin: string): Response {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return rejectionResponse(request, reject(403, "Use https. Nothing was changed."));
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
