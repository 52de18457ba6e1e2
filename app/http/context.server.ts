import type { Billing } from "~/adapters/billing/billing";
import { createBilling } from "~/adapters/billing/stripe.server";
import { createSpotify } from "~/adapters/spotify/client.server";
import { memories } from "~/adapters/spotify/memories.server";
import type { Spotify } from "~/adapters/spotify/spotify";
import { createDatabase, type Database } from "~/db/client.server";
import { openD1Session } from "~/db/replicas";
import { type AccessToken, spotifyToken } from "~/domain/session/spotify-token.server";
import { loadViewer, type Viewer } from "~/domain/session/viewer.server";
import { type Bindings, type Config, readConfig } from "~/platform/env";
import { bookmarkCookie, sessionCookie } from "./cookies.server";

/** All that a request needs, built once for it: loaders and actions get it as `context`. */
export type RequestContext = {
  config: Config;
  db: Database;
  outboxQueue: Bindings["OUTBOX_QUEUE"];
  /** For scripts and styles of this one page (Content-Security-Policy). */
  nonce: string;
  /** The key of the session row the request's cookie names, or null. */
  sessionId: string | null;
  /** The server's clock, epoch milliseconds. */
  now(): number;
  random(): number;
  /** The logged-in user, in one round trip; null without a login. */
  viewer(): Promise<Viewer | null>;
  /**
   * The viewer's Spotify token. A renewal is carried through even where the browser goes away:
   * Spotify may have taken the old refresh token back by then.
   */
  spotifyToken(viewer: Viewer, refused?: boolean): Promise<AccessToken>;
  /** Spotify on behalf of a viewer. */
  spotify(viewer: Viewer): Spotify;
  /** The card payment provider. */
  billing(): Billing;
  /** Lets work go on after the answer was sent. */
  waitUntil(work: Promise<unknown>): void;
  /** The Set-Cookie header by which the browser's next request sees what this one has written. */
  bookmark(): Promise<string | null>;
};

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

/**
 * Builds the context of a request.
 * @throws Error where the environment is not fit to run on.
 */
export async function createContext(
  request: Request,
  env: Bindings,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<RequestContext> {
  const config = readConfig(env);
  const now = () => Date.now();
  const cookie = request.headers.get("Cookie");
  const sessionId = await sessionCookie(config.sessionSecret).read(cookie);
  const bookmarks = bookmarkCookie(config.tokenKey);
  const session = openD1Session(env.DB, request, await bookmarks.read(cookie));
  const db = createDatabase(session);
  function token(viewer: Viewer, refused = false): Promise<AccessToken> {
    const work = spotifyToken(db, config, viewer.session, now, refused);
    execution.waitUntil(work.catch(() => undefined));
    return work;
  }

  return {
    config,
    db,
    outboxQueue: env.OUTBOX_QUEUE,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    sessionId,
    now,
    random: Math.random,
    viewer: () => loadViewer(db, sessionId, now()),
    spotify: (viewer) =>
      createSpotify({
        apiUrl: config.spotifyApiUrl,
        clientId: viewer.session.clientId,
        accessToken: async (refused) => (await token(viewer, refused)).accessToken,
        memory: memories.requestStateFor(viewer.session.id),
        oldRoutes: memories.oldRoutes,
        now,
      }),
    spotifyToken: token,
    billing: () => createBilling(config.stripe),
    waitUntil: (work) => execution.waitUntil(work),
    async bookmark() {
      const written = session.written();
      return written && bookmarks.issue(written);
    },
  };
}
