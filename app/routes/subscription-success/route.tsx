import { json, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { privateHead } from "~/components/head/head";
import { Page } from "~/components/layout/page";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { viewerView } from "~/members/viewer.server";
import type { CheckoutResult } from "~/premium/success.server";
import { lookUpCheckout, showsUnlocked } from "~/premium/success.server";
import { type ShownResult, SubscriptionResult } from "./subscription-result";

export const handle: RouteHandle = {
  crawlers: "disallowed",
  // Every visit asks Stripe.
  rateLimits: { GET: [{ limiter: "LIMIT_NORMAL", per: "address" }] },
};

export const meta: MetaFunction = () => privateHead("Your subscription - Fivefold");

/**
 * The result of a checkout. A buyer who began it at something that Premium unlocks is redirected there at
 * once; everybody else sees a confirmation.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const checkoutId = new URL(request.url).searchParams.get("session_id") ?? "";
  const { result, viewer, ...looked } = await lookUpCheckout(
    { ...context, billing: context.billing() },
    { checkoutId, loginId: context.sessionId },
  );
  const returnTo = returnPath(looked.returnTo, context.routes);
  if (showsUnlocked(returnTo)) return redirect(returnTo, 303);
  return json(
    {
      viewer: viewer && viewerView(viewer),
      result: shownResult(result, checkoutId),
      returnTo,
      contact: context.config.contactEmail,
    },
    { status: result.state === "error" ? result.status : 200 },
  );
}

function shownResult(result: CheckoutResult, checkoutId: string): ShownResult {
  switch (result.state) {
    case "error":
      return { state: "error", error: result.error };
    case "processing": {
      const again = `/subscription-success?session_id=${encodeURIComponent(checkoutId)}`;
      return { state: "processing", again };
    }
    case "success": {
      const { userId, email, written } = result;
      return { state: "success", email, written, known: userId !== null };
    }
  }
}

export default function SubscriptionSuccess() {
  const { viewer, result, returnTo, contact } = useLoaderData<typeof loader>();
  return (
    <Page viewer={viewer} current={null}>
      <SubscriptionResult
        result={result}
        loggedIn={viewer !== null}
        returnTo={returnTo}
        contact={contact}
      />
    </Page>
  );
}
