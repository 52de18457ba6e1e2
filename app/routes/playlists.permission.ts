import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { readFields } from "~/http/fields.server";
import { refusal } from "~/http/refusal.server";
import { leadTo, requireViewer } from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import { limitPosts } from "~/http/route-handle";
import { notConnectedTexts } from "~/members/spotify-gap";
import { isRejection, reject } from "~/platform/rejection";
import { beginPermission } from "~/sources/spotify/login/consent-page.server";

export const handle = limitPosts("LIMIT_LOGIN");

export const loader = leadTo("/");

/**
 * Sends a member to Spotify's consent page, for the permission to add to their playlists. `next` is the path
 * to return to. With `choose` Spotify asks even if the member has agreed before, so that they can change
 * accounts.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const fields = await readFields(request);
  const [next, choose] = isRejection(fields) ? [] : [fields.get("next"), fields.get("choose")];
  const path = returnPath(next, context.routes);
  if (!viewer.session.spotify) {
    const back = { label: "Back to where you were", href: path };
    throw refusal(request, context, reject(409, notConnectedTexts.never), { viewer, back });
  }
  return beginPermission(request, context, viewer, { next: path, dialog: choose === "account" });
}
