import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import {
  leadTo,
  requireAccepted,
  requireFields,
  requireFreshLogin,
  requireViewer,
} from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import { limitPosts } from "~/http/route-handle";
import { reject } from "~/platform/rejection";
import { beginConnection } from "~/sources/spotify/login/consent-page.server";

export const handle = limitPosts("LIMIT_LOGIN");

export const loader = leadTo("/account");

const connectionFields = z.object({ next: z.string().optional() });

/**
 * Sends a member whose session is without Spotify to its consent page, and then to `next`. An account that has
 * no Spotify account yet gets another way in, which needs a login within the last hour.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const page = { viewer, back: { label: "Back to my account", href: "/account" } };
  const error = "What you sent could not be read.";
  const fields = await requireFields(request, connectionFields, { error, ...page });
  const next = returnPath(fields.next, context.routes);
  if (context.config.spotifyClients.length === 0) {
    requireAccepted(request, reject(404, "Spotify cannot be connected here."), page);
  }
  if (viewer.session.spotify) return redirect(next, 303);
  if (viewer.spotifyId === null) {
    await requireFreshLogin({ request, context }, viewer, "/account?again=spotify#ways");
  }
  return beginConnection(request, context, viewer, next);
}
