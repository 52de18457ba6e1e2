import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { resumeSong } from "~/exchange/rotation/withdraw-and-resume.server";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/ratings-of-my-songs");

/** Brings one of the user's songs back into the rotation. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const songId = params.songId ?? "";
  const services = { ...context, spotify: context.spotify(viewer) };
  const back = { label: "Back to my ratings", href: "/ratings-of-my-songs" };
  const resumed = await resumeSong(services, viewer, songId);
  const json = requireAccepted(request, resumed, { viewer, back });
  return jsonOrRedirect(request, {
    json,
    to: `/ratings-of-my-songs/${encodeURIComponent(songId)}`,
  });
}
