import { replace } from "@remix-run/cloudflare";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = { crawlers: "disallowed" };

/** Where Stripe sends a buyer who gave up the checkout (spec section 2, "Routes"). */
export function loader() {
  return replace("/");
}
