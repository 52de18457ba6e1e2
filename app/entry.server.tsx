import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { AnalyticsContext, NonceContext } from "~/components/layout/document-contexts";
import { PremiumContext } from "~/components/premium/premium-context";
import { isStall } from "~/db/stall";
import { documentResponse } from "~/http/error-response.server";
import type { AnyRouteHandle } from "~/http/route-handle";
import { contentSecurityPolicy, permissionsPolicy } from "~/http/security-headers";
import { analyticsFor } from "~/platform/analytics";
import { logEvent } from "~/platform/log";
import playerCss from "~/player/player.css";
import { detectSurface } from "~/player/surface";

/** Longest User-Agent that is read, in characters: a pattern's cost can grow with the square of the length. */
const maxUserAgent = 512;

/**
 * Renders a page, with a policy that lets only its own scripts run. No loader here defers anything, so the
 * page is rendered to a string, in half of the time that a stream takes.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Response {
  const { nonce, config } = context;
  const page = needsOf(remixContext);
  const analytics = page.countsVisits ? analyticsFor(request.headers, config.analytics) : null;
  const html = renderToString(
    <NonceContext.Provider value={nonce}>
      <AnalyticsContext.Provider value={analytics}>
        <PremiumContext.Provider value={config.offers.premium}>
          <RemixServer context={remixContext} url={request.url} nonce={nonce} />
        </PremiumContext.Provider>
      </AnalyticsContext.Provider>
    </NonceContext.Provider>,
  );

  const player =
    config.offers.spotify && page.hearsSpotify
      ? { sdkUrl: config.spotifySdkUrl, apiUrl: config.spotifyApiUrl }
      : null;
  if (config.analytics && page.countsVisits) headers.append("Vary", "DNT, Sec-GPC");
  if (page.playsSongs) headers.set("Permissions-Policy", permissionsPolicy(player));
  if (page.preloadsPlayer) headers.append("Link", `<${playerCss}>; rel=preload; as=style`);
  if (page.preloadsPlayer && player) {
    // The player's first requests, and its script if songs play in the page.
    headers.append("Link", `<${new URL(player.apiUrl).origin}>; rel=preconnect; crossorigin`);
    const userAgent = (request.headers.get("User-Agent") ?? "").slice(0, maxUserAgent);
    if (detectSurface(userAgent, 0) === "browser") {
      headers.append("Link", `<${player.sdkUrl}>; rel=preload; as=script`);
    }
  }
  headers.set(
    "Content-Security-Policy",
    contentSecurityPolicy({
      nonce,
      scripts: page.scripts,
      ...(config.offers.spotify ? { accountsUrl: config.spotifyAccountsUrl } : {}),
      analytics,
      ...(page.isMembers || page.showsCovers ? { imageOrigins: config.imageOrigins } : {}),
      ...(page.isMembers && config.offers.premium !== "none"
        ? { paymentOrigins: config.stripePageOrigins }
        : {}),
      playsFiles: page.isMembers || page.playsFiles,
      ...(page.playsSongs && player ? { player } : {}),
    }),
  );
  return documentResponse(html, { status, headers });
}

/** Needs of the page, from its routes' handles and their data. */
function needsOf({ staticHandlerContext, routeModules }: EntryContext) {
  const { matches, loaderData, errors } = staticHandlerContext;
  const routes = matches.map(({ route }) => ({
    handle: routeModules[route.id]?.handle as AnyRouteHandle | undefined,
    data: loaderData[route.id],
  }));
  type Need =
    | "scripts"
    | "playsSongs"
    | "playsFiles"
    | "preloadsPlayer"
    | "countsVisits"
    | "showsCovers";
  function some(need: Need): boolean {
    return routes.some(({ handle, data }) => data && handle?.[need]?.(data));
  }
  const errorData = Object.values(errors ?? {}).map((error) => error?.data);
  const viewers = [...routes.map(({ data }) => data), ...errorData].map((data) => data?.viewer);
  return {
    scripts: some("scripts"),
    playsSongs: some("playsSongs"),
    playsFiles: some("playsFiles"),
    preloadsPlayer: some("preloadsPlayer"),
    countsVisits: some("countsVisits"),
    showsCovers: some("showsCovers"),
    /** Somebody is logged in, so that the page shows their avatar and covers. */
    isMembers: viewers.some((viewer) => viewer),
    hearsSpotify: viewers.some((viewer) => viewer?.hearsSpotify),
  };
}

/** Logs an error that a loader or an action threw. People see the error page. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: AppLoadContext },
): void {
  // A refusal, by a route or by Remix, is no failure.
  const isRejected = isRouteErrorResponse(error) && error.status < 500;
  context.noteFault(isRejected ? error.status : isStall(error) ? 503 : 500);
  if (!request.signal.aborted && !isRejected) logEvent("route_failed", { error });
}
