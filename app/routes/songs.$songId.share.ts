import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { forgetAtEdge } from "~/http/edge-cache";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { shareSong } from "~/results/share.server";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/ratings-of-my-songs");

/** Publishes the result of one of the user's songs, or updates the published page. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const { path } = requireAccepted(request, await shareSong(context, viewer, songId), { viewer });
  const { appOrigin } = context.config;
  await forgetAtEdge(appOrigin, path);
  return jsonOrRedirect(request, {
    json: { ok: true, address: `${appOrigin}${path}` },
    to: `/ratings-of-my-songs/${encodeURIComponent(songId)}#share`,
  });
}
