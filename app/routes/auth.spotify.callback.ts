import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { deviceOf } from "~/domain/session/device";
import { createLoginSession, isLoginOf } from "~/domain/session/login.server";
import { sessionCookie } from "~/http/cookies.server";
import { completeLogin } from "~/http/login.server";
import { loginFaultPage } from "~/http/login-fault.server";
import type { RouteHandle } from "~/http/route-handle";
import { logEvent } from "~/platform/log";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_LOGIN", per: "address" }] },
  crawlers: "disallowed",
};

/**
 * Where Spotify's consent page sends the browser back to. A login that works leads on, and one that was
 * declined leads back to where it began, which says so; any other is explained on a page of its own.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context;
  const login = await completeLogin(request, context);
  const { userId } = login;
  const headers = new Headers({ "Set-Cookie": login.clearCookie });
  if ("fault" in login) {
    if (login.fault !== "denied") return loginFaultPage(context, login, login.fault);
    // Somebody who should log in again, on the account page, is still logged in.
    headers.set("Location", userId === undefined ? "/?declined" : "/account?declined");
    return new Response(null, { status: 303, headers });
  }
  if (userId !== undefined && !(await isLoginOf(context.db, userId, login.grant))) {
    return loginFaultPage(context, login, "another account");
  }

  const session = await sessionCookie(config.sessionSecret).issue();
  await createLoginSession(context.db, login.grant, {
    id: session.id,
    clientId: login.clientId,
    tokenKey: config.tokenKey,
    secret: config.sessionSecret,
    device: deviceOf(request.headers.get("User-Agent")),
    replaces: context.sessionId,
    now: context.now(),
  });
  logEvent("login");
  headers.append("Set-Cookie", session.header);
  headers.set("Location", login.next);
  return new Response(null, { status: 303, headers });
}
