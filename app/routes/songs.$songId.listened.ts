import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { confirmListen } from "~/exchange/listening/listening.server";
import { jsonOrRedirect, leadTo, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_NORMAL", per: "session" }] },
};

export const loader = leadTo("/");

/** Confirms the open listen at the unlock. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const services = { ...context, spotify: context.spotify(viewer) };
  const confirmed = await confirmListen(services, viewer, params.songId ?? "");
  return jsonOrRedirect(request, {
    json: requireAccepted(request, confirmed, { viewer }),
    to: "/",
  });
}
