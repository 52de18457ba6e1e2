import type { SessionStorage } from "@remix-run/cloudflare";
import type { Billing } from "~/adapters/billing/billing";
import { createBilling } from "~/adapters/billing/stripe.server";
import type { SpotifyLogin } from "~/adapters/spotify/login";
import { createSpotifyLogin, refreshTokens } from "~/adapters/spotify/login.server";
import { spotifyState } from "~/adapters/spotify/request-state.server";
import type { Spotify } from "~/adapters/spotify/spotify";
import { createSpotify } from "~/adapters/spotify/web-api.server";
import { createDatabase, type Database } from "~/db/client.server";
import { openD1Session } from "~/db/replicas";
import { createMailQueue, type MailQueue } from "~/domain/owed-mail/mail-queue.server";
import { type AccessToken, spotifyToken } from "~/domain/session/spotify-token.server";
import { loadViewer, type Viewer } from "~/domain/session/viewer.server";
import { type Bindings, type Config, readConfig } from "~/platform/env";
import { bookmarkCookie, sessionCookie } from "./cookies.server";
import type { AnyRouteHandle } from "./route-handle";
import type { RouteTable } from "./route-table";

/** Everything that a request needs, built once for it. Loaders and actions get it as `context`. */
export type RequestContext = {
  config: Config;
  db: Database;
  /** Where a domain function queues the mails that it owes. */
  mailQueue: MailQueue;
  /** What the routes say about themselves. */
  routes: RouteTable;
  /** For the scripts and styles of this one page (Content-Security-Policy). */
  nonce: string;
  /** The key of the session row that the request's cookie names, or null. */
  sessionId: string | null;
  /** The server's clock, epoch milliseconds. */
  now(): number;
  random(): number;
  /** The logged-in user, in one round trip; null without a login. */
  viewer(): Promise<Viewer | null>;
  /** Says that the login which the cookie names has ended. `viewer()` says so by itself. */
  noteEndedLogin(): void;
  /** Whether somebody has said so. */
  hasEndedLogin(): boolean;
  /**
   * The viewer's Spotify token. A renewal is completed even if the browser goes away: by then Spotify
   * may have revoked the old refresh token.
   */
  spotifyToken(viewer: Viewer, options?: { refused?: boolean }): Promise<AccessToken>;
  /** Spotify on behalf of a viewer. */
  spotify(viewer: Viewer): Spotify;
  /** The login at Spotify, with its state in the storage's cookie. */
  spotifyLogin(storage: SessionStorage): SpotifyLogin;
  /** The card payment provider. */
  billing(): Billing;
  /** The Set-Cookie header that makes the browser's next request see what this one wrote. */
  bookmark(): Promise<string | null>;
};

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

/** Where a request runs. */
export interface RequestEnvironment {
  env: Bindings;
  execution: Pick<ExecutionContext, "waitUntil">;
  routes: RouteTable;
  /** What the request's own route says about itself. */
  handle: AnyRouteHandle;
}

/**
 * Builds the context of a request.
 * @throws Error if the environment is not valid.
 */
export async function createContext(
  request: Request,
  { env, execution, routes, handle }: RequestEnvironment,
): Promise<RequestContext> {
  const config = readConfig(env);
  const now = () => Date.now();
  const cookie = request.headers.get("Cookie");
  const sessionId = await sessionCookie(config.sessionSecret).read(cookie);
  const bookmarks = bookmarkCookie(config.tokenKey);
  const session = openD1Session(env.DB, {
    method: request.method,
    readsPrimary: handle.readsPrimary ?? false,
    bookmark: await bookmarks.read(cookie),
  });
  const db = createDatabase(session);
  const tokens = {
    db,
    config,
    now,
    refresh: refreshTokens.bind(null, config.spotifyAccountsUrl),
  };
  let loginEnded = false;
  function noteEndedLogin(): void {
    loginEnded = sessionId !== null;
  }
  function tokenOf(viewer: Viewer, options = {}): Promise<AccessToken> {
    const work = spotifyToken(tokens, viewer.session, options);
    execution.waitUntil(work.catch(() => undefined));
    return work;
  }

  return {
    config,
    db,
    mailQueue: createMailQueue(env.OUTBOX_QUEUE, (work) => execution.waitUntil(work)),
    routes,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    sessionId,
    now,
    random: Math.random,
    async viewer() {
      const viewer = await loadViewer(db, sessionId, now());
      if (!viewer) noteEndedLogin();
      return viewer;
    },
    noteEndedLogin,
    hasEndedLogin: () => loginEnded,
    spotify: (viewer) =>
      createSpotify({
        apiUrl: config.spotifyApiUrl,
        openUrl: config.spotifyOpenUrl,
        clientId: viewer.session.clientId,
        accessToken: async (refused) => (await tokenOf(viewer, { refused })).accessToken,
        requestState: spotifyState.requestStateFor(viewer.session.id),
        legacyCalls: spotifyState.legacyCalls,
        now,
      }),
    spotifyToken: tokenOf,
    spotifyLogin: (storage) =>
      createSpotifyLogin({
        clients: config.spotifyClients,
        accountsUrl: config.spotifyAccountsUrl,
        apiUrl: config.spotifyApiUrl,
        callbackUrl: `${config.appOrigin}/auth/spotify/callback`,
        storage,
      }),
    billing: () => createBilling(config.stripe),
    async bookmark() {
      const bookmark = session.written();
      return bookmark && bookmarks.issue(bookmark);
    },
  };
}
