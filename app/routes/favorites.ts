import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { endedLoginTexts } from "~/login/ended-login";
import { songsPerPage } from "~/results/received";
import { savedSongs } from "~/sources/spotify/library/favorite.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

/**
 * The ids among `songs`, separated by commas, that are in the user's library at Spotify, for a screen that
 * has just been shown. `saved` is null if Spotify does not tell.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return Response.json({ error: endedLoginTexts.otherwise }, { status: 401 });
  const asked = new URL(request.url).searchParams.get("songs")?.split(",", songsPerPage) ?? [];
  const services = { ...context, spotify: context.spotify(viewer) };
  return Response.json({ saved: await savedSongs(services, viewer, asked) });
}
