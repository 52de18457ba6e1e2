import { and, eq, lt } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { sessions } from "~/db/schema";
import { seal, unseal } from "~/platform/crypto.server";
import { minuteMs } from "~/platform/dates";
import type { Config, SpotifyClientKeys } from "~/platform/env";
import type { RefreshedTokens } from "~/spotify/login.server";
import { SpotifyError, SpotifyLoginEnded } from "~/spotify/spotify";
import type { ViewerSession } from "./viewer.server";

const renewAheadMs = 5 * minuteMs;
const leaseMs = 15_000;
const pollIntervalMs = 250;
const maxPolls = 40;

export interface AccessToken {
  accessToken: string;
  expiresAt: number;
}

export interface TokenServices extends DatabaseAndClock {
  config: Pick<Config, "tokenKey" | "spotifyClients">;
  refresh(client: SpotifyClientKeys, refreshToken: string): Promise<RefreshedTokens>;
}

/**
 * The session's Spotify access token, renewed if it is about to expire. Of concurrent requests one renews,
 * under a lease in the session's row; the others use the old token while it is valid, or wait. `refused`:
 * Spotify has refused the token in `session`. Throws SpotifyLoginEnded if the user must log in again.
 */
export async function spotifyToken(
  services: TokenServices,
  session: ViewerSession,
  { refused = false }: { refused?: boolean } = {},
): Promise<AccessToken> {
  const { db, now } = services;
  let current = session;
  for (let poll = 0; poll <= maxPolls; poll += 1) {
    if (poll > 0) current = await reread(db, session.id);
    const isRefused = refused && current.accessToken === session.accessToken;
    const leftMs = isRefused ? 0 : current.tokenExpiresAt - now();
    if (leftMs > renewAheadMs) return decrypt(services, current);
    const until = now() + leaseMs;
    if (await takeLease(db, current, { now: now(), until })) {
      return renew(services, current, { until, isOldTokenValid: leftMs > 0 });
    }
    if (leftMs > 0) return decrypt(services, current);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
  throw new SpotifyError(0, "Spotify gave no token in time");
}

async function decrypt(services: TokenServices, session: ViewerSession): Promise<AccessToken> {
  const { tokenKey } = services.config;
  const accessToken = await unseal(tokenKey, session.accessToken, session.id);
  // It was encrypted under a key that is no longer in use.
  if (!accessToken) throw await dropLogin(services.db, session);
  return { accessToken, expiresAt: session.tokenExpiresAt };
}

/** Takes the lease if the token is still the one that was read, so that a late request renews none again. */
async function takeLease(
  db: Database,
  session: ViewerSession,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const taken = await db
    .update(sessions)
    .set({ refreshLeaseUntil: until })
    .where(
      and(
        eq(sessions.id, session.id),
        eq(sessions.tokenExpiresAt, session.tokenExpiresAt),
        lt(sessions.refreshLeaseUntil, now),
      ),
    )
    .returning({ id: sessions.id });
  return taken.length > 0;
}

async function renew(
  services: TokenServices,
  session: ViewerSession,
  { until, isOldTokenValid }: { until: number; isOldTokenValid: boolean },
): Promise<AccessToken> {
  const { db, config, now, refresh } = services;
  const client = config.spotifyClients.find(({ id }) => id === session.clientId);
  const refreshToken = await unseal(config.tokenKey, session.refreshToken, session.id);
  if (!client || !refreshToken) throw await dropLogin(db, session);
  try {
    const tokens = await refresh(client, refreshToken);
    const expiresAt = now() + tokens.expiresIn * 1000;
    const { mayAddToPlaylists } = tokens;
    const written = await db
      .update(sessions)
      .set({
        accessToken: await seal(config.tokenKey, tokens.accessToken, session.id),
        tokenExpiresAt: expiresAt,
        refreshLeaseUntil: 0,
        ...(tokens.refreshToken
          ? { refreshToken: await seal(config.tokenKey, tokens.refreshToken, session.id) }
          : {}),
        ...(mayAddToPlaylists === null ? {} : { mayAddToPlaylists }),
      })
      .where(hasTokensOf(session))
      .returning({ id: sessions.id });
    if (written.length > 0) return { accessToken: tokens.accessToken, expiresAt };
  } catch (error) {
    if (error instanceof SpotifyLoginEnded) return endLogin(services, session);
    // Another renewal may have taken over.
    const isOwnLease = and(eq(sessions.id, session.id), eq(sessions.refreshLeaseUntil, until));
    await db.update(sessions).set({ refreshLeaseUntil: 0 }).where(isOwnLease);
    if (isOldTokenValid) return decrypt(services, session);
    throw error;
  }
  return replacement(services, session);
}

/**
 * Ends a login that Spotify has ended, unless another token has replaced it. The row stays without its tokens
 * until the retention job deletes it, so that the landing page can say who has ended the login.
 */
async function endLogin(services: TokenServices, session: ViewerSession): Promise<AccessToken> {
  const { db, now } = services;
  const ended = await db
    .update(sessions)
    .set({ accessToken: "", refreshToken: "", tokenExpiresAt: 0, expiresAt: now() })
    .where(hasTokensOf(session))
    .returning({ id: sessions.id });
  if (ended.length > 0) throw new SpotifyLoginEnded();
  return replacement(services, session);
}

/** Another renewal has taken over, or the user has given another permission. */
async function replacement(services: TokenServices, { id }: ViewerSession): Promise<AccessToken> {
  const current = await reread(services.db, id);
  if (current.tokenExpiresAt <= services.now()) throw new SpotifyLoginEnded();
  return decrypt(services, current);
}

async function dropLogin(db: Database, session: ViewerSession): Promise<SpotifyLoginEnded> {
  await db.delete(sessions).where(hasTokensOf(session));
  return new SpotifyLoginEnded({ bySpotify: false });
}

function hasTokensOf({ id, refreshToken }: ViewerSession) {
  return and(eq(sessions.id, id), eq(sessions.refreshToken, refreshToken));
}

/** Finds a login that Spotify has ended, until the retention job deletes it. */
export function selectEndedBySpotify(db: Database, sessionId: string | null) {
  return db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId ?? ""), eq(sessions.refreshToken, "")));
}

async function reread(db: Database, sessionId: string): Promise<ViewerSession> {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  if (!row) throw new SpotifyLoginEnded({ bySpotify: false });
  if (row.refreshToken === "") throw new SpotifyLoginEnded();
  return row;
}
