import { type LoaderFunctionArgs, replace } from "@remix-run/cloudflare";
import { returnPath, withParameter } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { selectReturnTo, withoutUnlocked } from "~/premium/success.server";

export const handle: RouteHandle = { crawlers: "disallowed", forPremium: true };

/**
 * The address to which Stripe returns after a cancelled checkout: redirects to where it was begun, which
 * says that nothing was charged, or if that is unknown, to the front page.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const { db, sessionId, now, routes } = context;
  const [latest] = sessionId ? await selectReturnTo(db, sessionId, now()) : [];
  const back = withoutUnlocked(returnPath(latest?.returnTo, routes));
  return replace(latest ? withParameter(back, "uncharged", "") : back);
}
