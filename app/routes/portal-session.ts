import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { openPortal } from "~/domain/subscription/portal.server";
import { jsonOrRedirect, requireAccepted, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export function loader() {
  return redirect("/");
}

/**
 * Opens the management of the logged-in user's subscription (spec section 7): answers `{ url }` to
 * programs and redirects browsers there. 404 if there is no subscription.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const services = { db: context.db, billing: context.billing() };
  const opened = await openPortal(services, viewer, `${context.config.appOrigin}/`);
  const { url } = requireAccepted(request, opened, { viewer });
  return jsonOrRedirect(request, { json: { url }, to: url });
}
