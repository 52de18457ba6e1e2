import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { jsonOrRedirect, leadTo, requireFields, requireViewer } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { logoutHeaders } from "~/login/cookies.server";
import { endAllSessions, endSession } from "~/login/sessions.server";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/account");

const endFields = z.object({ session: z.string().optional() });

/**
 * Ends the login that `session` names, as in the account's list; without it, all of them, including this one.
 * A login that has already ended is no error.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "What you sent could not be read.";
  const { session } = await requireFields(request, endFields, { error, viewer });
  if (session !== undefined && !(await endSession(context, viewer, session))) {
    return jsonOrRedirect(request, { json: { ok: true }, to: "/account?ended" });
  }
  if (session === undefined) await endAllSessions(context, viewer.userId);
  const headers = await logoutHeaders(context);
  return jsonOrRedirect(request, { json: { ok: true }, to: "/", headers });
}
