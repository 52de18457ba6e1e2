import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { deviceOf } from "~/domain/session/device";
import { createLoginSession } from "~/domain/session/login.server";
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
  headers.append("Set-Cookie", login.clearCookie);
  if ("fault" in login) {
    const { status, ...text } = faults[login.fault];
    throw data(text, { status, headers });
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
  stale: {
    status: 400,
    title: "This login has expired",
    text: "The login was not started in this browser, or too long ago. Please log in again from the start page.",
  },
  unavailable: {
    status: 502,
    title: "Spotify did not complete the login",
    text: "Spotify is not answering as it should right now. Nothing was stored. Please try to log in again in a moment.",
  },
  "not listed": {
    status: 403,
    title: "Spotify does not let you in yet",
    text: "Spotify allows this app to a limited list of people for now, and your account is not on it. Please write to us to be added.",
  },
};
