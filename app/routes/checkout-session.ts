import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { isRefusal } from "~/domain/refusal";
import { startCheckout } from "~/domain/subscription/checkout.server";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/subscribe");
}

/**
 * Begins the checkout of premium for whoever is logged in (spec section 7, "Product backend"):
 * `{ url }` to programs, the way there to browsers. The fields `priceId`, `successUrl` and
 * `cancelUrl` may be given, and are refused where they are not this product's own.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const started = await startCheckout(
    context.db,
    context.billing(),
    viewer,
    {
      priceId: fields.get("priceId"),
      successUrl: fields.get("successUrl"),
      cancelUrl: fields.get("cancelUrl"),
    },
    context.config.appOrigin,
    context.now,
  );
  if (isRefusal(started)) return refusalResponse(request, started, viewer);
  return wantsJson(request) ? Response.json(started) : redirect(started.url, 303);
}
