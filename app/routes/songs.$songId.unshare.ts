import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { forgetAtEdge } from "~/http/edge-cache";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { unshareSong } from "~/results/share.server";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/ratings-of-my-songs");

/** Unpublishes the result of one of the user's songs. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const outcome = await unshareSong(context.db, viewer, songId);
  const { path } = requireAccepted(request, outcome, { viewer });
  if (path) await forgetAtEdge(context.config.appOrigin, path);
  return jsonOrRedirect(request, {
    json: { ok: true },
    to: `/ratings-of-my-songs/${encodeURIComponent(songId)}#share`,
  });
}
