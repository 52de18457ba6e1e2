import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { closeAllSessions } from "~/domain/session/sessions.server";
import { sessionCookie } from "~/http/cookies.server";
import { loginRequired, wantsJson } from "~/http/error-response.server";

export function loader() {
  return redirect("/account");
}

/** Logs the user out everywhere, here too. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await context.viewer();
  if (!viewer) return loginRequired(request);
  await closeAllSessions(context.db, viewer.userId);
  const headers = { "Set-Cookie": await sessionCookie(context.config.sessionSecret).clear() };
  if (wantsJson(request)) return Response.json({ ok: true }, { headers });
  return redirect("/", { status: 303, headers });
}
