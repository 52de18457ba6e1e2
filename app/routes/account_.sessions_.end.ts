import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { endAllSessions } from "~/domain/session/sessions.server";
import { sessionCookie } from "~/http/cookies.server";
import { jsonOrRedirect, requireViewer } from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export function loader() {
  return redirect("/account");
}

/** Logs the user out everywhere, including here. */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  await endAllSessions(context.db, viewer.userId);
  const headers = { "Set-Cookie": await sessionCookie(context.config.sessionSecret).clear() };
  return jsonOrRedirect(request, { json: { ok: true }, to: "/", headers });
}
