import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo, requireFreshLogin } from "~/http/require.server";
import { limitPosts } from "~/http/route-handle";
import { addressTexts, forgetWaitingAddress, removeAddress } from "~/mailing/address.server";
import { isRejection, reject } from "~/platform/rejection";
import { syncMatched } from "~/premium/sync.server";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/account");

const removalFields = z.object({ waiting: z.string().optional() });

/**
 * Removes the user's own address, which needs a login within the last hour and another way in, or with `waiting`
 * the one that is not confirmed yet.
 */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: removalFields,
    async run({ context, viewer, fields }) {
      if (fields.waiting === undefined) {
        await requireFreshLogin(args, viewer, "/account?again=removal#address");
        if (context.config.spotifyClients.length === 0) return reject(409, addressTexts.onlyWay);
        const removed = await removeAddress(context.db, viewer.userId, context.now());
        if (isRejection(removed)) return removed;
        await syncMatched({ ...context, billing: context.billing() }, removed.matchedCustomers);
      } else {
        await forgetWaitingAddress(context.db, viewer.userId, context.now());
      }
      return null;
    },
    to: "/account",
    back: { label: "Back to my account", href: "/account" },
  });
}
