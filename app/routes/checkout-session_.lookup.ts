import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { isRefusal, refuse } from "~/domain/refusal";
import { emailFor } from "~/domain/subscription/checkout-result";
import { lookUpCheckout } from "~/domain/subscription/success.server";
import { refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/");
}

/**
 * What became of the checkout `sessionId` (spec section 7): `{ customer_email, written }`, where
 * `written` says whether the subscription record was. A plain form is led to the page that says so.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const { db, config, now } = context;
  const sessionId = fields.get("sessionId") ?? "";
  if (!wantsJson(request)) {
    return redirect(`/subscription-success?session_id=${encodeURIComponent(sessionId)}`, 303);
  }
  const result = await lookUpCheckout(db, context.billing(), sessionId, config.contactEmail, now);
  switch (result.state) {
    case "processing":
      return Response.json({ customer_email: null, written: false });
    case "success": {
      const email = emailFor(result, (await context.viewer())?.userId ?? null);
      return Response.json({ customer_email: email, written: result.written });
    }
    case "error":
      return refusalResponse(request, refuse(result.status, result.error));
  }
}
