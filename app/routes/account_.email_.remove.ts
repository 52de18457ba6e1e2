import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo, requireFreshLogin } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { forgetWaitingAddress, removeAddress } from "~/members/address.server";
import { syncMatched } from "~/premium/sync.server";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/account");

const removalFields = z.object({ waiting: z.string().optional() });

/**
 * Removes the user's own address, which needs a login within the last hour, or with `waiting` the one that is
 * not confirmed yet.
 */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: removalFields,
    async run({ context, viewer, fields }) {
      if (fields.waiting === undefined) {
        await requireFreshLogin(args, viewer, "/account?again=removal#address");
        const removed = await removeAddress(context.db, viewer.userId, context.now());
        await syncMatched({ ...context, billing: context.billing() }, removed.matchedCustomers);
      } else {
        await forgetWaitingAddress(context.db, viewer.userId, context.now());
      }
      return null;
    },
    to: "/account",
  });
}
