import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { AnalyticsContext } from "~/components/head/analytics";
import { NonceContext } from "~/components/layout/nonce";
import { contentSecurityPolicy, permissionsPolicy } from "~/http/security-headers";
import { analyticsFor } from "~/platform/analytics";
import { logEvent } from "~/platform/log";
import { surfaceOf } from "~/player/place";

/** Streams a page, with the policy that lets its own scripts run and nothing else. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { nonce, config } = context;
  const analytics = analyticsFor(request.headers, config.analytics);
  let responseStatus = status;
  const stream = await renderToReadableStream(
    <NonceContext.Provider value={nonce}>
      <AnalyticsContext.Provider value={analytics}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </AnalyticsContext.Provider>
    </NonceContext.Provider>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        responseStatus = 500;
        logEvent("render_failed", { error });
      },
    },
  );
  // Crawlers get the whole page at once.
  const userAgent = request.headers.get("User-Agent") ?? "";
  if (isbot(userAgent)) await stream.allReady;

  const { scripts, member, song } = needsOf(remixContext);
  // The confirmation of a song added leads on to the carousel within the same document.
  const plays = new URL(request.url).pathname === "/" && member && scripts;
  const player = { sdkUrl: config.spotifySdkUrl, apiUrl: config.spotifyApiUrl };
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (config.analytics) headers.append("Vary", "DNT, Sec-GPC");
  if (plays) {
    headers.set("Permissions-Policy", permissionsPolicy(player));
  }
  if (song) {
    // What the player asks for as soon as it is alive; its script where it plays in the page.
    headers.append("Link", `<${new URL(player.apiUrl).origin}>; rel=preconnect; crossorigin`);
    if (surfaceOf(userAgent, 0) === "browser") {
      headers.append("Link", `<${player.sdkUrl}>; rel=preload; as=script`);
    }
  }
  headers.set(
    "Content-Security-Policy",
    contentSecurityPolicy({
      nonce,
      scripts,
      accountsUrl: config.spotifyAccountsUrl,
      analytics,
      ...(member
        ? {
            member: {
              imageOrigins: config.imageOrigins,
              paymentOrigins: config.stripePageOrigins,
            },
          }
        : {}),
      ...(plays ? { player } : {}),
    }),
  );
  return new Response(stream, { headers, status: responseStatus });
}

/** What the page that is rendered needs, by what its loaders say. */
function needsOf({ staticHandlerContext }: EntryContext) {
  const { loaderData, errors } = staticHandlerContext;
  const failures = Object.values(errors ?? {}).map((error) => error?.data);
  const told = [...Object.values(loaderData), ...failures].filter(Boolean);
  return {
    scripts: told.some(({ scripts }) => scripts),
    member: told.some(({ viewer }) => viewer),
    song: told.some(({ player, view }) => player && view?.state === "songs"),
  };
}

/** Writes down what a loader or an action threw; what people see is the error page. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  // What a route or Remix refuses is no failure.
  const refused = isRouteErrorResponse(error) && error.status < 500;
  if (!request.signal.aborted && !refused) logEvent("route_failed", { error });
}
