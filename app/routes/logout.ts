import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { endLoginSession } from "~/domain/session/login.server";
import { sessionCookie } from "~/http/cookies.server";

export function loader() {
  return redirect("/");
}

/** Ends the session, drops its Spotify tokens and goes to /. */
export async function action({ context }: ActionFunctionArgs) {
  if (context.sessionId) await endLoginSession(context.db, context.sessionId);
  const clear = await sessionCookie(context.config.sessionSecret).clear();
  return redirect("/", { status: 303, headers: { "Set-Cookie": clear } });
}
