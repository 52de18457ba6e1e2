import { redirect, type SessionStorage } from "@remix-run/cloudflare";
import { loginStorage } from "~/login/cookies.server";
import { emailLoginPath } from "~/login/email-login-path";
import type { Viewer } from "~/members/viewer.server";
import type { Config } from "~/platform/env";
import { logEvent } from "~/platform/log";
import {
  type createSpotifyLogin,
  type LoginAsk,
  type LoginFault,
  type LoginGrant,
  loginFault,
} from "~/sources/spotify/client/consent.server";

interface LoginContext {
  config: Config;
  random(): number;
  spotifyLogin(storage: SessionStorage, ask: LoginAsk): ReturnType<typeof createSpotifyLogin>;
}

/**
 * Sends the browser to Spotify's consent page, through a client that is drawn with equal chance (rule 1, ways in), or
 * without a client to the login by e-mail. With `userId` nobody else may log in.
 */
export async function beginLogin(
  request: Request,
  context: LoginContext,
  next: string,
  userId?: string,
): Promise<Response> {
  return begin(request, context, { clientId: drawClient(context), next, userId, ask: plainAsk });
}

/** Sends a member to Spotify's consent page, to connect a Spotify account to theirs and to this session. */
export async function beginConnection(
  request: Request,
  context: LoginContext,
  { userId }: Viewer,
  next: string,
): Promise<Response> {
  const asked = { next, userId, ask: plainAsk, connects: true };
  return begin(request, context, { clientId: drawClient(context), ...asked });
}

const plainAsk: LoginAsk = { playlists: false, dialog: true };

/**
 * Sends a member to Spotify's consent page for the permission to add to playlists, through the client of their
 * login. Without `dialog` Spotify asks nothing of a member who has agreed before. A refusal leads to `next` too.
 */
export async function beginPermission(
  request: Request,
  context: LoginContext,
  { userId, session }: Viewer,
  { next, dialog }: { next: string; dialog: boolean },
): Promise<Response> {
  const known = context.config.spotifyClients.find(({ id }) => id === session.spotify?.clientId);
  const clientId = known?.id ?? drawClient(context);
  return begin(request, context, { clientId, next, userId, ask: { playlists: true, dialog } });
}

function drawClient({ config, random }: LoginContext): string {
  const clients = config.spotifyClients;
  return clients[Math.floor(random() * clients.length)]?.id ?? "";
}

async function begin(
  request: Request,
  { config, spotifyLogin }: LoginContext,
  { clientId, next, userId, ask, connects = false }: PendingLogin,
): Promise<Response> {
  if (!config.offers.spotify) return redirect(emailLoginPath(next), 303);
  const storage = loginStorage(config.sessionSecret);
  const consent = await spotifyLogin(storage, ask).begin(clientId, request);
  // The library has put the flow's state into the cookie, which may still hold an earlier flow's values.
  const pending = await storage.getSession(consent.headers.get("Set-Cookie"));
  pending.set("client", clientId);
  pending.set("state", stateOf(consent.headers.get("Location") ?? ""));
  pending.set("next", next);
  pending.unset("again");
  pending.unset("playlists");
  pending.unset("connects");
  if (userId !== undefined) pending.set("again", userId);
  if (ask.playlists) pending.set("playlists", true);
  if (connects) pending.set("connects", true);
  const headers = new Headers({ Location: consent.headers.get("Location") ?? "/" });
  headers.set("Set-Cookie", await storage.commitSession(pending));
  return new Response(null, { status: 303, headers });
}

function stateOf(url: string): string {
  return (URL.canParse(url) && new URL(url).searchParams.get("state")) || "";
}

interface PendingLogin {
  clientId: string;
  next: string;
  userId: string | undefined;
  ask: LoginAsk;
  connects?: boolean;
}

export type CompletedLogin = {
  /** Removes the login cookie, or keeps it where the request belongs to no login under way. */
  setCookie: string;
  next: string;
  userId: string | undefined;
  /** No new login, but that user's permission to add to playlists. */
  playlists: boolean;
  /** No new login, but that user's connection to Spotify. */
  connects: boolean;
} & ({ fault: LoginFault | "denied" } | { grant: LoginGrant; clientId: string });

export async function completeLogin(
  request: Request,
  { config, spotifyLogin }: LoginContext,
): Promise<CompletedLogin> {
  const storage = loginStorage(config.sessionSecret);
  const pending = await storage.getSession(request.headers.get("Cookie"));
  const outcome = {
    setCookie: await storage.destroySession(pending),
    next: pending.get("next") ?? "/",
    userId: pending.get("again"),
    playlists: pending.get("playlists") ?? false,
    connects: pending.get("connects") ?? false,
  };
  const clientId = pending.get("client");
  const isKnown = config.spotifyClients.some(({ id }) => id === clientId);
  if (!clientId || !isKnown) return { ...outcome, fault: "stale" };
  // Any site can lead a browser here, which must not end the login under way.
  if (stateOf(request.url) !== pending.get("state")) {
    return { ...outcome, setCookie: await storage.commitSession(pending), fault: "stale" };
  }
  const denial = new URL(request.url).searchParams.get("error");
  if (denial) return { ...outcome, fault: denial === "access_denied" ? "denied" : "stale" };
  try {
    const ask = { playlists: outcome.playlists, dialog: true };
    const grant = await spotifyLogin(storage, ask).complete(clientId, request);
    return { ...outcome, grant, clientId };
  } catch (error) {
    logEvent("login_failed", { error });
    return { ...outcome, fault: loginFault(error) };
  }
}
