import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { forgetWaiting, removeAddress } from "~/domain/contact/address.server";
import { isRefusal } from "~/domain/refusal";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";
import { readFields } from "~/http/fields.server";

export function loader() {
  return redirect("/account");
}

/** Forgets the user's own address, or with `waiting` the one that waits for its confirmation. */
export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await readFields(request);
  if (isRefusal(fields)) return refusalResponse(request, fields);
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);
  const forget = fields.has("waiting") ? forgetWaiting : removeAddress;
  await forget(context.db, viewer.userId, context.now());
  if (wantsJson(request)) return Response.json({ ok: true });
  return redirect("/account", 303);
}
