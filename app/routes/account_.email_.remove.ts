import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import {
  jsonOrRedirect,
  leadTo,
  requireFields,
  requireFreshLogin,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { forgetWaitingAddress, removeAddress } from "~/members/address.server";
import { syncMatched } from "~/premium/sync.server";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/account");

const removalFields = z.object({ waiting: z.string().optional() });

/**
 * Removes the user's own address, which requires a login within the last hour, or with `waiting` the one that
 * is not confirmed yet.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "The request could not be read.";
  const { waiting } = await requireFields(request, removalFields, { error, viewer });
  if (waiting === undefined) {
    await requireFreshLogin({ request, context }, viewer, "/account?again=removal#address");
    const removed = await removeAddress(context.db, viewer.userId, context.now());
    await syncMatched({ ...context, billing: context.billing() }, removed.matchedCustomers);
  } else {
    await forgetWaitingAddress(context.db, viewer.userId, context.now());
  }
  return jsonOrRedirect(request, { json: { ok: true }, to: "/account" });
}
