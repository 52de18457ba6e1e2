import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { leadTo } from "~/http/require.server";
import { logoutHeaders } from "~/login/cookies.server";
import { endLoginSession } from "~/login/open-session.server";

export const loader = leadTo("/");

export async function action({ context }: ActionFunctionArgs) {
  if (context.sessionId) await endLoginSession(context.db, context.sessionId);
  return redirect("/", { status: 303, headers: await logoutHeaders(context) });
}
