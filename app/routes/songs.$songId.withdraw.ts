import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { withdrawSong } from "~/exchange/rotation/withdraw-and-resume.server";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/ratings-of-my-songs");

/** Takes one of the user's songs out of the rotation. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const json = requireAccepted(request, await withdrawSong(context, viewer, songId), { viewer });
  return jsonOrRedirect(request, {
    json,
    to: `/ratings-of-my-songs/${encodeURIComponent(songId)}`,
  });
}
