import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { favoriteSong } from "~/domain/favorite/favorite.server";
import { jsonOrRedirect, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export function loader() {
  return redirect("/");
}

/** Saves a song to the user's library at Spotify. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const services = { ...context, spotify: context.spotify(viewer) };
  const result = await favoriteSong(services, viewer, { songId, saved: true });
  const json = requireAccepted(request, result, { viewer });
  return jsonOrRedirect(request, { json, to: `/?favorite=${encodeURIComponent(songId)}` });
}
