import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";
import { endedLoginTexts } from "~/login/ended-login";
import { isRejection } from "~/platform/rejection";
import { tokenForPlayer } from "~/sources/spotify/player-token.server";

export const handle: RouteHandle = {
  readsPrimary: true,
  rateLimits: {
    GET: [
      { limiter: "LIMIT_STRICT", per: "session", query: "refused" },
      { limiter: "LIMIT_NORMAL", per: "session" },
    ],
  },
};

/**
 * A short-lived access token for the logged-in user's player. With `?refused`, a different one from the last,
 * which Spotify did not accept.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return Response.json({ error: endedLoginTexts.otherwise }, { status: 401 });
  const refused = new URL(request.url).searchParams.has("refused");
  const token = await tokenForPlayer(context.spotifyToken(viewer, { refused }), context.now);
  return isRejection(token)
    ? Response.json({ error: token.error }, { status: token.status })
    : Response.json(token);
}
