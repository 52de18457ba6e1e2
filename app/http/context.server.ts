import type { SessionStorage } from "@remix-run/cloudflare";
import { createDatabase, type Database } from "~/db/client.server";
import { openD1Session } from "~/db/replicas";
import { answeringInTime } from "~/db/stall";
import { createSpotCheckQueue, type SpotCheckQueue } from "~/exchange/listening/spot-check.server";
import type { AccessToken } from "~/members/spotify-token.server";
import { loadViewer, type Viewer } from "~/members/viewer.server";
import { createMailQueue, type MailQueue } from "~/outbox/mail-queue.server";
import type { Mailer, ReadMailEvent } from "~/outbox/mailer";
import { createResend, readResendEvent } from "~/outbox/resend.server";
import { fetchAs } from "~/platform/caller";
import { type Bindings, type Config, readConfig } from "~/platform/env";
import type { Billing } from "~/premium/stripe.server";
import { createStripe } from "~/premium/stripe.server";
import { readLink } from "~/spotify/link-reader.server";
import type { LoginAsk, SpotifyLogin } from "~/spotify/login.server";
import { createSpotifyLogin } from "~/spotify/login.server";
import type { ReadLink } from "~/spotify/spotify";
import type { Spotify } from "~/spotify/web-api.server";
import { bookmarkCookie, sessionCookie } from "./cookies.server";
import { isReread } from "./data-request";
import { isUserLimited } from "./rate-limit";
import type { AnyRouteHandle } from "./route-handle";
import type { RouteTable } from "./route-table";
import { createSpotifyAccess } from "./spotify-access.server";

/** The services and facts of one request. Loaders and actions get it as `context`. */
export type RequestContext = {
  config: Config;
  db: Database;
  /** When this version went live, in epoch milliseconds; null where Cloudflare does not say so. */
  deployedAt: number | null;
  /** The key of signatures and fingerprints. */
  secret: string;
  /** The queue for the mails that a batch owes. */
  mailQueue: MailQueue;
  /** The queue that a listen's spot checks wait in. */
  spotChecks: SpotCheckQueue;
  /** The routes' names and handles. */
  routes: RouteTable;
  /** For the scripts and styles of this one page (Content-Security-Policy). */
  nonce: string;
  /** The key of the session row that the request's cookie names, or null. */
  sessionId: string | null;
  /** The server's clock, epoch milliseconds. */
  now(): number;
  random(): number;
  /** False for a page that reads its own data again by itself. */
  isActivity: boolean;
  /** The logged-in user, in one round trip, in which a post is recorded as activity; null without a login. */
  viewer(): Promise<Viewer | null>;
  /** Notes that the login named by the cookie has ended. `viewer()` does so by itself. */
  noteEndedLogin(): void;
  /** True once that was noted. */
  hasEndedLogin(): boolean;
  /** Counts the request for its user, and checks whether it is one too many (app/http/rate-limit.ts). */
  isOverLimit(userId: string): Promise<boolean>;
  /** Notes the status with which Remix has refused the request, 503 if the database has not answered, or 500. */
  noteFault(status: number): void;
  /** The status noted; null without one. */
  fault(): number | null;
  /** The viewer's Spotify token. */
  spotifyToken(viewer: Viewer, options?: { refused?: boolean }): Promise<AccessToken>;
  /** Spotify on behalf of a viewer. */
  spotify(viewer: Viewer): Spotify;
  /** The target of a pasted link at Spotify; null for what is no link. */
  spotifyLink(text: string): Promise<ReadLink | null>;
  /** The login at Spotify, with its state in the storage's cookie. */
  spotifyLogin(storage: SessionStorage, ask: LoginAsk): SpotifyLogin;
  /** The card payment provider. */
  billing(): Billing;
  /** The mail provider, for a mail that no user is owed. */
  mailer(): Mailer;
  /** Reads the mail provider's events; null if it is not set up to send any. */
  readMailEvent: ReadMailEvent | null;
  /** The Set-Cookie header that makes the browser's next request see what this one wrote. */
  bookmark(): Promise<string | null>;
};

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

/** The Worker's part of a request: its bindings and its routes. */
export interface RequestEnvironment {
  env: Bindings;
  execution: Pick<ExecutionContext, "waitUntil">;
  routes: RouteTable;
  /** The handle of the request's own route. */
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
  const db = createDatabase(answeringInTime(session));
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  const access = createSpotifyAccess({ db, config, now, waitUntil });
  let fault: number | null = null;
  let loginEnded = false;
  function noteEndedLogin(): void {
    loginEnded = sessionId !== null;
  }

  return {
    config,
    db,
    deployedAt: Date.parse(env.VERSION?.timestamp ?? "") || null,
    secret: config.sessionSecret,
    mailQueue: createMailQueue(env.OUTBOX_QUEUE, waitUntil),
    spotChecks: createSpotCheckQueue(env.SPOT_CHECK_QUEUE, waitUntil),
    routes,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    sessionId,
    now,
    random: Math.random,
    isActivity: !isReread(request),
    async viewer() {
      const isActivity = request.method === "POST";
      const viewer = await loadViewer(db, sessionId, { now: now(), isActivity });
      if (!viewer) noteEndedLogin();
      return viewer;
    },
    noteEndedLogin,
    hasEndedLogin: () => loginEnded,
    isOverLimit(userId) {
      const route = routes.nameOf(new URL(request.url).pathname);
      return isUserLimited({ request, route, handle }, userId, env);
    },
    noteFault(status) {
      fault = status;
    },
    fault: () => fault,
    spotify: (viewer) => access.spotify(viewer.session),
    spotifyToken: (viewer, options) => access.token(viewer.session, options),
    spotifyLink: (text) =>
      readLink(text, {
        openUrl: config.spotifyOpenUrl,
        shareUrls: config.spotifyShareUrls,
        fetch: fetchAs(config),
      }),
    spotifyLogin: (storage, ask) =>
      createSpotifyLogin({
        clients: config.spotifyClients,
        accountsUrl: config.spotifyAccountsUrl,
        apiUrl: config.spotifyApiUrl,
        callbackUrl: `${config.appOrigin}/auth/spotify/callback`,
        imageOrigins: config.imageOrigins,
        caller: config,
        storage,
        ask,
      }),
    billing: () => createStripe(config.stripe, config),
    mailer: () => createResend(config.resend, config.mailSender, config),
    readMailEvent: mailEvents(config, now),
    async bookmark() {
      const bookmark = session.written();
      return bookmark && bookmarks.issue(bookmark);
    },
  };
}

function mailEvents({ resend, mailSender }: Config, now: () => number): ReadMailEvent | null {
  const { webhookSecret: secret } = resend;
  if (secret === null) return null;
  return (body, headers) =>
    readResendEvent(body, headers, { secret, sender: mailSender.address, now: now() });
}
