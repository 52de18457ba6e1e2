import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { leadTo } from "~/http/require.server";
import { limitPosts, type RouteHandle } from "~/http/route-handle";
import { startCheckout } from "~/premium/checkout.server";

export const handle: RouteHandle = { ...limitPosts("LIMIT_STRICT"), forPremium: true };

export const loader = leadTo("/subscribe");

const checkoutFields = z.object({
  priceId: z.string().optional(),
  successUrl: z.string().optional(),
  cancelUrl: z.string().optional(),
  next: z.string().optional(),
});

/**
 * Begins the checkout of Premium: answers `{ url }` to programs, and redirects browsers there. `priceId`,
 * `successUrl` and `cancelUrl` must be this product's own. `next` is the path to return to after the checkout.
 */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: checkoutFields,
    run({ context, viewer, fields: { next: _, ...wishes }, next: returnTo }) {
      const services = { ...context, billing: context.billing() };
      const { appOrigin } = context.config;
      return startCheckout(services, viewer, { ...wishes, appOrigin, returnTo });
    },
    to: (_, { url }) => url,
  });
}
