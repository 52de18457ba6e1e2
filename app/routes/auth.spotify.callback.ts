import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RequestContext } from "~/http/context.server";
import { loginFaultPage } from "~/http/login-fault.server";
import { withParameter } from "~/http/return-path";
import type { RouteHandle } from "~/http/route-handle";
import { sessionCookie } from "~/login/cookies.server";
import { deviceOf } from "~/login/device";
import { logEvent } from "~/platform/log";
import { connectSpotify } from "~/sources/spotify/login/connect.server";
import { type CompletedLogin, completeLogin } from "~/sources/spotify/login/consent-page.server";
import {
  createLoginSession,
  extendLoginSession,
  isLoginOf,
} from "~/sources/spotify/login/session.server";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_LOGIN", per: "address" }] },
  crawlers: "disallowed",
};

/**
 * The address to which Spotify's consent page returns. A successful login leads on, a declined one back to
 * where it began, with a message; any other is explained on a page of its own.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context;
  const login = await completeLogin(request, context);
  const { userId } = login;
  if (login.playlists) return completePermission(context, login);
  if (login.connects) return completeConnection(context, login);
  const headers = new Headers({ "Set-Cookie": login.setCookie });
  if ("fault" in login) {
    if (login.fault !== "denied") return loginFaultPage(context, login, login.fault);
    // A user who was asked to log in again on the account page is still logged in.
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

/**
 * Gives a new permission to the session that asked for it, which otherwise stays as it is. If it was
 * declined, the page that asked says so.
 */
async function completePermission(
  context: RequestContext,
  login: CompletedLogin,
): Promise<Response> {
  if ("fault" in login) {
    return login.fault === "denied"
      ? back("declined")
      : loginFaultPage(context, login, login.fault);
  }
  // Spotify's page grants all or nothing, but only its answer counts.
  if (!login.grant.mayAddToPlaylists) return back("declined");
  const outcome = await extendLoginSession(context.db, login.grant, asking(context, login));
  if (outcome !== "extended") return loginFaultPage(context, login, outcome);
  logEvent("playlists_permitted");
  // It may have been declined before, on the page that asks again.
  return back(null);

  function back(permission: "declined" | null): Response {
    const Location = withParameter(login.next, "permission", permission);
    const headers = { "Set-Cookie": login.setCookie, Location };
    return new Response(null, { status: 303, headers });
  }
}

/** Connects Spotify to the session that asked for it and to its user, and leads back there. */
async function completeConnection(
  context: RequestContext,
  login: CompletedLogin,
): Promise<Response> {
  if ("fault" in login) return loginFaultPage(context, login, login.fault);
  const outcome = await connectSpotify(context.db, login.grant, asking(context, login));
  if (outcome !== "connected") return loginFaultPage(context, login, outcome);
  logEvent("spotify_connected");
  const headers = { "Set-Cookie": login.setCookie, Location: login.next };
  return new Response(null, { status: 303, headers });
}

function asking(
  { config, sessionId, now }: RequestContext,
  { userId, clientId }: { userId: string | undefined; clientId: string },
) {
  return {
    id: sessionId ?? "",
    userId: userId ?? "",
    clientId,
    tokenKey: config.tokenKey,
    secret: config.sessionSecret,
    now: now(),
  };
}
