import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { deviceOf } from "~/domain/session/device";
import { createLoginSession, isLoginOf } from "~/domain/session/login.server";
import { viewerView } from "~/domain/session/viewer.server";
import { sessionCookie } from "~/http/cookies.server";
import { completeLogin } from "~/http/login.server";
import type { RouteHandle } from "~/http/route-handle";
import { logEvent } from "~/platform/log";

export const handle: RouteHandle = {
  rateLimits: { GET: [{ limiter: "LIMIT_LOGIN", per: "address" }] },
  crawlers: "disallowed",
};

/** Where Spotify's consent page sends the browser back to. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config } = context;
  const headers = new Headers();
  const login = await completeLogin(request, context);
  const explained = async (fault: keyof typeof faults) => {
    const { status, ...text } = faults[fault];
    // Somebody who should log in again is still logged in.
    const viewer = login.userId === undefined ? null : await context.viewer();
    return data({ ...text, viewer: viewer && viewerView(viewer) }, { status, headers });
  };
  headers.append("Set-Cookie", login.clearCookie);
  if ("fault" in login) {
    const again = login.userId !== undefined && login.fault === "denied";
    throw await explained(again ? "not confirmed" : login.fault);
  }
  if (login.userId !== undefined && !(await isLoginOf(context.db, login.userId, login.grant))) {
    throw await explained("another account");
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

/** Never shown: a login that works leads on, and one that fails shows the error page. */
export default function Callback() {
  return null;
}

const faults = {
  denied: {
    status: 400,
    title: "You did not log in",
    text: "You chose not to let Fivefold use your Spotify account, so nothing was stored. You can log in whenever you like.",
  },
  "not confirmed": {
    status: 400,
    title: "Nothing was changed",
    text: "You did not confirm your login at Spotify. You are still logged in as before.",
  },
  "another account": {
    status: 403,
    title: "This is another Spotify account",
    text: "Nothing was changed, and you are still logged in as before. Please try again from your account page, with the Spotify account that belongs to it.",
  },
  stale: {
    status: 400,
    title: "This login has expired",
    text: "The login was started in another browser, or too long ago. Please log in again from the start page.",
  },
  unavailable: {
    status: 502,
    title: "Spotify did not complete the login",
    text: "Spotify is not answering as it should right now. Nothing was stored. Please try to log in again in a moment.",
  },
  "not listed": {
    status: 403,
    title: "Spotify does not let you in yet",
    text: "For now, Spotify opens this app only to a limited list of people, and your account is not on it. Please write to us to be added.",
  },
};
