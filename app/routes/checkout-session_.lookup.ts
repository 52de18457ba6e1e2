import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { rejectionResponse, wantsJson } from "~/http/error-response.server";
import { leadTo, requireFields } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { reject } from "~/platform/rejection";
import { lookUpCheckout } from "~/premium/success.server";

export const handle: RouteHandle = {
  forPremium: true,
  // It needs no login, and every call asks Stripe.
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "address" }] },
};

export const loader = leadTo("/");

const lookupFields = z.object({ sessionId: z.string().default("") });

/**
 * The outcome of the checkout `sessionId`: `{ customer_email, written }`. `customer_email` is null for
 * everybody but the buyer; `written` is true once the subscription is on record. A plain form is redirected
 * to the page that shows it.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const error = "What you sent could not be read.";
  const { sessionId } = await requireFields(request, lookupFields, { error });
  if (!wantsJson(request)) {
    return redirect(`/subscription-success?session_id=${encodeURIComponent(sessionId)}`, 303);
  }
  const { result } = await lookUpCheckout(
    { ...context, billing: context.billing() },
    { checkoutId: sessionId, loginId: context.sessionId },
  );
  switch (result.state) {
    case "processing":
      return Response.json({ customer_email: null, written: false });
    case "success":
      return Response.json({ customer_email: result.email, written: result.written });
    case "error":
      return rejectionResponse(request, reject(result.status, result.error));
  }
}
