import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { deleteAccount } from "~/domain/account/delete.server";
import { forgetAtEdge } from "~/http/edge-cache";
import { logoutHeaders } from "~/http/logout.server";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFreshLogin,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

const back = { label: "Back to my account", href: "/account" };

export const loader = leadTo("/account");

/**
 * Deletes the user and all their data, and so logs them out everywhere. Requires a login within the last
 * hour.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  await requireFreshLogin({ request, context }, viewer, "/account?again=delete#delete");
  const services = { ...context, billing: context.billing() };
  const outcome = await deleteAccount(services, viewer.userId);
  const { sharePaths } = requireAccepted(request, outcome, { viewer, back });
  await forgetAtEdge(context.config.appOrigin, ...sharePaths);
  const headers = await logoutHeaders(context);
  return jsonOrRedirect(request, { json: { ok: true }, to: "/account?deleted", headers });
}
