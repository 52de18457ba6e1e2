import type { SessionStorage } from "@remix-run/cloudflare";
import { createDatabase } from "~/db/client.server";
import { openD1Session } from "~/db/replicas";
import { answeringInTime } from "~/db/stall";
import { placeOf } from "~/exchange/pool/place";
import { sessionCookie } from "~/login/cookies.server";
import { loadViewer, type Viewer } from "~/members/viewer.server";
import { createMailQueue } from "~/outbox/mail-queue.server";
import type { ReadMailEvent } from "~/outbox/mailer";
import { createResend, readResendEvent } from "~/outbox/resend.server";
import { fetchAs } from "~/platform/caller";
import { type Bindings, type Config, readConfig } from "~/platform/env";
import { createStripe } from "~/premium/stripe.server";
import type { LookUp } from "~/sources/source";
import { createSpotifyAccess } from "~/sources/spotify/access.server";
import { lookUp } from "~/sources/spotify/catalogue.server";
import { createSpotifyLogin, type LoginAsk } from "~/sources/spotify/client/consent.server";
import { readLink } from "~/sources/spotify/client/link-reader.server";
import { createSpotCheckQueue } from "~/sources/spotify/spot-check.server";
import { bookmarkCookie } from "./bookmark-cookie.server";
import { isReread } from "./data-request";
import { isUserLimited } from "./rate-limit";
import type { AnyRouteHandle } from "./route-handle";
import type { RouteTable } from "./route-table";

export type RequestContext = Awaited<ReturnType<typeof createContext>>;

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {}
}

export async function createContext(
  request: Request,
  {
    env,
    execution,
    routes,
    handle,
  }: {
    env: Bindings;
    execution: Pick<ExecutionContext, "waitUntil">;
    routes: RouteTable;
    handle: AnyRouteHandle;
  },
) {
  const config = readConfig(env);
  const now = () => Date.now();
  const cookie = request.headers.get("Cookie");
  const sessionId = await sessionCookie(config.sessionSecret).read(cookie);
  const { sessionSecret: secret, ratingsFromOnePlace: mostRatings } = config;
  const place = sessionId === null ? null : await placeOf(request, { secret, mostRatings });
  const bookmarks = bookmarkCookie(config.tokenKey);
  const session = openD1Session(env.DB, {
    method: request.method,
    readsPrimary: handle.readsPrimary ?? false,
    bookmark: await bookmarks.read(cookie),
  });
  const db = createDatabase(answeringInTime(session));
  const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
  const access = createSpotifyAccess({ db, config, now, waitUntil });
  const sale = config.offers.premium;
  let fault: number | null = null;
  let loginEnded = false;
  let nowhere: (() => Promise<Viewer | null>) | null = null;
  function noteEndedLogin(): void {
    loginEnded = sessionId !== null;
  }

  return {
    config,
    db,
    assets: env.ASSETS,
    files: env.RECORDINGS,
    /** When this version went live; null where Cloudflare does not say so. */
    deployedAt: Date.parse(env.VERSION?.timestamp ?? "") || null,
    secret,
    place,
    sealedBelow: config.sealedBelow,
    sale,
    takesGenerated: config.offers.generated,
    mailQueue: createMailQueue(env.OUTBOX_QUEUE, waitUntil),
    /** Codes of logins go before other mails. */
    codeQueue: createMailQueue(env.CODE_QUEUE, waitUntil),
    spotChecks: createSpotCheckQueue(env.SPOT_CHECK_QUEUE, waitUntil),
    routes,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    sessionId,
    now,
    random: Math.random,
    /** False for a page that reads its own data again by itself. */
    isActivity: !isReread(request),
    /** One round trip, in which a post is recorded as activity. */
    async viewer() {
      const isActivity = request.method === "POST";
      const viewer = await loadViewer(db, sessionId, { now: now(), sale, isActivity });
      if (!viewer) noteEndedLogin();
      return viewer;
    },
    /** People can come in by Spotify. */
    isSpotifyOpen: config.spotifyClients.length > 0,
    waitUntil,
    wait: (ms: number, signal: AbortSignal) => scheduler.wait(ms, { signal }),
    /** The answer of an address that leads nowhere, for this viewer, takes the place of the route's. */
    leadNowhere(viewer: Viewer | null): Response {
      nowhere = async () => viewer;
      return new Response(null, { status: 404 });
    },
    nowhere: () => nowhere,
    noteEndedLogin,
    hasEndedLogin: () => loginEnded,
    /** Counts the request for its user (app/http/rate-limit.ts). */
    isOverLimit(userId: string) {
      const route = routes.nameOf(new URL(request.url).pathname);
      return isUserLimited({ request, route, handle }, userId, env);
    },
    noteFault(status: number) {
      fault = status;
    },
    fault: () => fault,
    spotify: (viewer: Viewer) => access.spotify(viewer.session.spotify),
    spotifyToken: (viewer: Viewer, options?: { refused?: boolean }) =>
      access.token(viewer.session.spotify, options),
    lookUp: ((viewer, asked) => {
      const { spotifyOpenUrl: openUrl, spotifyShareUrls: shareUrls } = config;
      const links = { openUrl, shareUrls, fetch: fetchAs(config) };
      const spotify = access.spotify(viewer.session.spotify);
      return lookUp({ spotify, spotifyLink: (text) => readLink(text, links) }, viewer, asked);
    }) satisfies LookUp,
    spotifyLogin: (storage: SessionStorage, ask: LoginAsk) =>
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
    /** The Set-Cookie header that makes the browser's next request see what this one wrote. */
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
