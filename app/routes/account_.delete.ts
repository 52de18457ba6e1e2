import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { deleteAccount } from "~/domain/account/delete.server";
import { isRefusal } from "~/domain/refusal";
import { sessionCookie } from "~/http/cookies.server";
import { loginRequired, refusalResponse, wantsJson } from "~/http/error-response.server";

const back = { label: "Back to my account", href: "/account" };

export function loader() {
  return redirect("/account");
}

/** Deletes the user with all that is theirs, and logs them out everywhere by that. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);
  const outcome = await deleteAccount(context.db, context.billing(), viewer.userId);
  if (isRefusal(outcome)) return refusalResponse(request, outcome, viewer, back);
  const headers = { "Set-Cookie": await sessionCookie(context.config.sessionSecret).clear() };
  if (wantsJson(request)) return Response.json({ ok: true }, { headers });
  return redirect("/account?deleted", { status: 303, headers });
}
