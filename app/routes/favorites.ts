import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { savedSongs } from "~/domain/favorite/favorite.server";
import { endedLoginTexts } from "~/domain/session/ended-login";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

/**
 * Which songs of the user's package are in their library at Spotify, for the carousel, which asks once
 * it shows them. `saved` is null if Spotify does not tell.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return Response.json({ error: endedLoginTexts.otherwise }, { status: 401 });
  return Response.json({
    saved: await savedSongs({ ...context, spotify: context.spotify(viewer) }, viewer),
  });
}
