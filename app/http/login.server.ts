import { type LoginFault, type LoginGrant, loginFault } from "~/adapters/spotify/login";
import { logEvent } from "~/platform/log";
import type { RequestContext } from "./context.server";
import { loginStorage } from "./cookies.server";

/**
 * The Response that sends the browser to Spotify's consent page, through one of the configured
 * clients, drawn with equal chance (spec section 7, "Login redirect").
 * @param next the path that the login leads to.
 * @param userId the user who has to log in again; without it anybody may.
 */
export async function beginLogin(
  request: Request,
  { config, random, spotifyLogin }: RequestContext,
  next: string,
  userId?: string,
): Promise<Response> {
  const clients = config.spotifyClients;
  const { id: clientId } = clients[Math.floor(random() * clients.length)] ?? clients[0];
  const storage = loginStorage(config.sessionSecret);
  const consent = await spotifyLogin(storage).begin(clientId, request);
  // The flow's state is in the login cookie already; the client and the path go along with it.
  const pending = await storage.getSession(consent.headers.get("Set-Cookie"));
  pending.set("client", clientId);
  pending.set("next", next);
  if (userId !== undefined) pending.set("again", userId);
  const headers = new Headers({ Location: consent.headers.get("Location") ?? "/" });
  headers.set("Set-Cookie", await storage.commitSession(pending));
  return new Response(null, { status: 303, headers });
}

/**
 * How a login ended. `clearCookie` is the Set-Cookie header that removes the login cookie; `next` is the
 * path that it was to lead to; `userId` is the only user whom the login may be, if there is one.
 */
export type CompletedLogin = { clearCookie: string; next: string; userId: string | undefined } & (
  | { fault: LoginFault | "denied" }
  | { grant: LoginGrant; clientId: string }
);

/** Completes the login that `beginLogin` began, from the request to the callback. */
export async function completeLogin(
  request: Request,
  { config, spotifyLogin }: RequestContext,
): Promise<CompletedLogin> {
  const storage = loginStorage(config.sessionSecret);
  const pending = await storage.getSession(request.headers.get("Cookie"));
  const ended = {
    clearCookie: await storage.destroySession(pending),
    next: pending.get("next") ?? "/",
    userId: pending.get("again"),
  };
  const clientId = pending.get("client");
  const isKnown = config.spotifyClients.some(({ id }) => id === clientId);
  if (!clientId || !isKnown) return { ...ended, fault: "stale" };
  const denial = new URL(request.url).searchParams.get("error");
  if (denial) return { ...ended, fault: denial === "access_denied" ? "denied" : "stale" };
  try {
    const grant = await spotifyLogin(storage).complete(clientId, request);
    return { ...ended, grant, clientId };
  } catch (error) {
    logEvent("login_failed", { error });
    return { ...ended, fault: loginFault(error) };
  }
}
