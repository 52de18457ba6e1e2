import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { deleteAccount, deleteTexts } from "~/account/delete.server";
import { forgetAtEdge } from "~/http/edge-cache";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireFreshLogin,
  requireViewer,
} from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { logoutHeaders } from "~/login/cookies.server";
import { sha256 } from "~/platform/crypto.server";
import { reject } from "~/platform/rejection";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/account");

const deletionFields = z.object({
  /** The account that the page showed: another tab may have logged in somebody else since. */
  account: z.string().optional(),
});

/** Deletes the user, which needs a login within the last hour. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const page = { viewer, back: { label: "Back to my account", href: "/account" } };
  const error = "What you sent could not be read.";
  const { account } = await requireFields(request, deletionFields, { error, ...page });
  if (account !== undefined && account !== (await sha256(viewer.userId))) {
    requireAccepted(request, reject(409, deleteTexts.another), page);
  }
  await requireFreshLogin({ request, context }, viewer, "/account?again=delete#delete");
  const services = { ...context, billing: context.billing() };
  const outcome = await deleteAccount(services, viewer.userId);
  const { sharePaths } = requireAccepted(request, outcome, page);
  await forgetAtEdge(context.config.appOrigin, ...sharePaths);
  const headers = await logoutHeaders(context);
  return jsonOrRedirect(request, { json: { ok: true }, to: "/account?deleted", headers });
}
