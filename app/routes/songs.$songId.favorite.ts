import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { readFields } from "~/http/fields.server";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import { returnPath, withParameter } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { favoriteSong } from "~/library/favorite.server";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/");

/** Saves a song to the user's library at Spotify. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const fields = requireAccepted(request, await readFields(request), { viewer });
  const next = returnPath(fields.get("next"), context.routes);
  const services = { ...context, spotify: context.spotify(viewer) };
  const result = await favoriteSong(services, viewer, { songId, saved: true });
  const back = { label: "Back", href: next };
  const json = requireAccepted(request, result, { viewer, back });
  return jsonOrRedirect(request, { json, to: withParameter(next, "favorite", songId) });
}
