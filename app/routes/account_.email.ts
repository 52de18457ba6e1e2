import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo, requireFreshLogin } from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import { limitPosts } from "~/http/route-handle";
import { sealEntered } from "~/login/entered-address.server";
import { requestConfirmation } from "~/mailing/address.server";
import { readMailAddress } from "~/members/mail-address";
import { placesOfRequest } from "~/platform/network";
import { isRejection } from "~/platform/rejection";

export const handle = limitPosts("LIMIT_STRICT");

export const loader = leadTo("/account");

const addressFields = z.object({ address: z.string() });

/**
 * Mails a link to `address`, by which the user confirms it as their own. Needs a login within the last hour,
 * after which the form shows the address again, unless it is very long.
 */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: addressFields,
    error: "Enter an e-mail address.",
    async run({ context, viewer, fields }) {
      const address = readMailAddress(fields.address);
      if (isRejection(address)) return address;
      const { db, config, secret, mailQueue } = context;
      const entered = await sealEntered(config.tokenKey, viewer.userId, address);
      const again = `/account?again=address&entered=${entered}#new-address`;
      const isShort = returnPath(again, context.routes) === again;
      const next = isShort ? again : "/account?again=address#new-address";
      await requireFreshLogin(args, viewer, next);
      const services = {
        ...{ db, secret, mailQueue, now: context.now() },
        ...{ places: placesOfRequest(args.request), perDay: config.loginCodesPerDay },
      };
      const rejected = await requestConfirmation(viewer.userId, address, services);
      return rejected ?? { ok: true, address };
    },
    to: "/account",
    back: { label: "Back to my account", href: "/account" },
  });
}
