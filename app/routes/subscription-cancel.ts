import { replace } from "@remix-run/cloudflare";

/** Back from a checkout that was not completed (spec section 2, "Routes"). */
export function loader() {
  return replace("/");
}
