import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireViewer,
} from "~/http/require.server";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { startCheckout } from "~/premium/checkout.server";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/subscribe");

const checkoutFields = z.object({
  priceId: z.string().optional(),
  successUrl: z.string().optional(),
  cancelUrl: z.string().optional(),
  next: z.string().optional(),
});

/**
 * Begins the checkout of Premium for the logged-in user: answers `{ url }` to programs, and redirects
 * browsers there. The optional fields `priceId`, `successUrl` and `cancelUrl` must be this product's own.
 * `next` is the path to return to after the checkout.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const error = "The request could not be read.";
  const { next, ...wishes } = await requireFields(request, checkoutFields, { error, viewer });
  const { appOrigin } = context.config;
  const services = { ...context, billing: context.billing() };
  const returnTo = returnPath(next, context.routes);
  const started = await startCheckout(services, viewer, { ...wishes, appOrigin, returnTo });
  const { url } = requireAccepted(request, started, { viewer });
  return jsonOrRedirect(request, { json: { url }, to: url });
}
