import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { isRefusal } from "~/domain/refusal";
import { readFields } from "~/http/fields.server";
import { beginPermission } from "~/http/login.server";
import { leadTo, requireViewer } from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_LOGIN", per: "session" }] },
};

/** There is no page that asks: the songs have the button. */
export const loader = leadTo("/");

/**
 * Sends a member to Spotify's consent page, for the permission to add to their playlists. `next` is
 * the page that it leads back to; with `choose` Spotify asks even somebody who has agreed before, so
 * that they can change the account.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const fields = await readFields(request);
  const [next, choose] = isRefusal(fields) ? [] : [fields.get("next"), fields.get("choose")];
  const path = returnPath(next, context.routes);
  return beginPermission(request, context, viewer, { next: path, dialog: choose === "account" });
}
