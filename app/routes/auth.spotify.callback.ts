import { data, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { completeLogin, loginFault } from "~/adapters/spotify/login.server";
import { deviceOf } from "~/domain/session/device";
import { createLoginSession } from "~/domain/session/login.server";
import { loginOptions } from "~/domain/session/login-options.server";
import { loginStorage, sessionCookie } from "~/http/cookies.server";
import { returnPath } from "~/http/return-path";
import { logEvent } from "~/platform/log";

/** Where Spotify's consent page sends the browser back to. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { config, db } = context;
  const storage = loginStorage(config.sessionSecret);
  const pending = await storage.getSession(request.headers.get("Cookie"));
  const client = config.spotifyClients.find(({ id }) => id === pending.get("client"));
  const denied = new URL(request.url).searchParams.get("error");
  const headers = new Headers();
  headers.append("Set-Cookie", await storage.destroySession(pending));
  if (!client) throw data(faults.stale, { status: 400, headers });
  if (denied)
    throw data(denied === "access_denied" ? faults.denied : faults.stale, { status: 400, headers });

  let grant: Awaited<ReturnType<typeof completeLogin>>;
  try {
    grant = await completeLogin(loginOptions(config, client, storage), request);
  } catch (error) {
    logEvent("login_failed", { error });
    const fault = loginFault(error);
    if (fault === "stale") throw data(faults.stale, { status: 400, headers });
    if (fault === "not listed") throw data(faults.notListed, { status: 403, headers });
    throw data(faults.unavailable, { status: 502, headers });
  }

  const cookie = sessionCookie(config.sessionSecret);
  const session = await cookie.issue();
  await createLoginSession(
    db,
    grant,
    {
      id: session.id,
      clientId: client.id,
      tokenKey: config.tokenKey,
      device: deviceOf(request.headers.get("User-Agent")),
      replaces: context.sessionId,
    },
    context.now(),
  );
  logEvent("login");
  headers.append("Set-Cookie", session.header);
  headers.set("Location", returnPath(pending.get("next")));
  return new Response(null, { status: 303, headers });
}

/** Only ever shown by the error page: a login that works leads on to the carousel. */
export default function Callback() {
  return null;
}

const faults = {
  denied: {
    title: "You did not log in",
    text: "You chose not to let Fivefold use your Spotify account, so nothing was stored. You can log in whenever you like.",
  },
  stale: {
    title: "This login has expired",
    text: "The login was not started in this browser, or too long ago. Please log in again from the start page.",
  },
  unavailable: {
    title: "Spotify did not complete the login",
    text: "Spotify is not answering as it should right now. Nothing was stored. Please try to log in again in a moment.",
  },
  notListed: {
    title: "Spotify does not let you in yet",
    text: "Spotify allows this app to a limited list of people for now, and your account is not on it. Please write to us to be added.",
  },
};
