import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as z from "zod";
import { memberAction } from "~/http/member-action.server";
import { returnPath } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { openPortal, syncAfterPortal } from "~/premium/portal.server";

export const handle: RouteHandle = {
  forPremium: true,
  // Every call asks Stripe.
  rateLimits: {
    GET: [{ limiter: "LIMIT_STRICT", per: "session", query: "next" }],
    POST: [{ limiter: "LIMIT_STRICT", per: "session" }],
  },
};

/**
 * The return from Stripe to the page `next`, with the changes made there even if no webhook has arrived yet.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const next = new URL(request.url).searchParams.get("next");
  const viewer = next === null ? null : await context.viewer();
  if (viewer) await syncAfterPortal({ ...context, billing: context.billing() }, viewer);
  return redirect(returnPath(next, context.routes));
}

const portalFields = z.object({ next: z.string().optional() });

/**
 * Opens the management of the user's subscription, which returns to the page `next`: answers `{ url }` to
 * programs, and redirects browsers there. 404 if there is no subscription.
 */
export function action(args: ActionFunctionArgs) {
  return memberAction(args, {
    fields: portalFields,
    run({ context, viewer, next }) {
      const returnUrl = new URL("/portal-session", context.config.appOrigin);
      returnUrl.searchParams.set("next", next);
      return openPortal({ db: context.db, billing: context.billing() }, viewer, returnUrl.href);
    },
    to: (_, { url }) => url,
  });
}
