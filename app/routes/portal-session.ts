import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { isRefusal } from "~/domain/refusal";
import { openPortal } from "~/domain/subscription/portal.server";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";

export function loader() {
  return redirect("/");
}

/**
 * Opens the management of the subscription of whoever is logged in (spec section 7): `{ url }` to
 * programs, the way there to browsers. 404 where there is none.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);

  const { db, config } = context;
  const opened = await openPortal(db, context.billing(), viewer, `${config.appOrigin}/`);
  if (isRefusal(opened)) return refusalResponse(request, opened, viewer);
  return wantsJson(request) ? Response.json(opened) : redirect(opened.url, 303);
}
