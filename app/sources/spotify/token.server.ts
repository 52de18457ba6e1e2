import { and, eq, lt, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { sessions } from "~/db/schema";
import type { Way } from "~/members/identity";
import { type SpotifyConnection, toConnection } from "~/members/spotify-connection";
import { seal, unseal } from "~/platform/crypto.server";
import { minuteMs } from "~/platform/dates";
import type { Config, SpotifyClientKeys } from "~/platform/env";
import type { RefreshedTokens } from "~/sources/spotify/client/consent.server";
import {
  SpotifyError,
  SpotifyLoginEnded,
  SpotifyNotConnected,
} from "~/sources/spotify/client/spotify";

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
 * A session's Spotify access token, renewed if it is about to expire. Of concurrent requests one renews,
 * under a lease in the session's row; the others use the old token while it is valid, or wait. `refused`:
 * Spotify has refused the token in `connection`. Throws SpotifyLoginEnded if the user must log in again,
 * and SpotifyNotConnected if they must connect again.
 */
export async function spotifyToken(
  services: TokenServices,
  connection: SpotifyConnection,
  { refused = false }: { refused?: boolean } = {},
): Promise<AccessToken> {
  const { db, now } = services;
  let current = connection;
  for (let poll = 0; poll <= maxPolls; poll += 1) {
    if (poll > 0) current = await reread(db, connection.sessionId);
    const isRefused = refused && current.accessToken === connection.accessToken;
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

async function decrypt(
  services: TokenServices,
  connection: SpotifyConnection,
): Promise<AccessToken> {
  const { tokenKey } = services.config;
  const accessToken = await unseal(tokenKey, connection.accessToken, connection.sessionId);
  // It was encrypted under a key that is no longer in use.
  if (!accessToken) throw await dropLogin(services, connection);
  return { accessToken, expiresAt: connection.tokenExpiresAt };
}

/** Takes the lease if the token is still the one that was read, so that a late request renews none again. */
async function takeLease(
  db: Database,
  connection: SpotifyConnection,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const taken = await db
    .update(sessions)
    .set({ refreshLeaseUntil: until })
    .where(
      and(
        eq(sessions.id, connection.sessionId),
        eq(sessions.tokenExpiresAt, connection.tokenExpiresAt),
        lt(sessions.refreshLeaseUntil, now),
      ),
    )
    .returning({ id: sessions.id });
  return taken.length > 0;
}

async function renew(
  services: TokenServices,
  connection: SpotifyConnection,
  { until, isOldTokenValid }: { until: number; isOldTokenValid: boolean },
): Promise<AccessToken> {
  const { db, config, now, refresh } = services;
  const client = config.spotifyClients.find(({ id }) => id === connection.clientId);
  const refreshToken = await unseal(config.tokenKey, connection.refreshToken, connection.sessionId);
  if (!client || !refreshToken) throw await dropLogin(services, connection);
  try {
    const tokens = await refresh(client, refreshToken);
    const expiresAt = now() + tokens.expiresIn * 1000;
    const { mayAddToPlaylists } = tokens;
    const written = await db
      .update(sessions)
      .set({
        accessToken: await seal(config.tokenKey, tokens.accessToken, connection.sessionId),
        tokenExpiresAt: expiresAt,
        refreshLeaseUntil: 0,
        ...(tokens.refreshToken
          ? { refreshToken: await seal(config.tokenKey, tokens.refreshToken, connection.sessionId) }
          : {}),
        ...(mayAddToPlaylists === null ? {} : { mayAddToPlaylists }),
      })
      .where(hasTokensOf(connection))
      .returning({ id: sessions.id });
    if (written.length > 0) return { accessToken: tokens.accessToken, expiresAt };
  } catch (error) {
    if (error instanceof SpotifyLoginEnded) return endLogin(services, connection);
    // Another renewal may have taken over.
    const isOwnLease = and(
      eq(sessions.id, connection.sessionId),
      eq(sessions.refreshLeaseUntil, until),
    );
    await db.update(sessions).set({ refreshLeaseUntil: 0 }).where(isOwnLease);
    if (isOldTokenValid) return decrypt(services, connection);
    throw error;
  }
  return replacement(services, connection);
}

/** Ends what Spotify has ended, unless another token has replaced it. */
async function endLogin(
  services: TokenServices,
  connection: SpotifyConnection,
): Promise<AccessToken> {
  const [ended] = await closeConnection(services, connection, { bySpotify: true });
  if (ended) throw endedError(ended.way, { bySpotify: true });
  return replacement(services, connection);
}

/** Another renewal has taken over, or the user has given another permission. */
async function replacement(
  services: TokenServices,
  { sessionId }: SpotifyConnection,
): Promise<AccessToken> {
  const current = await reread(services.db, sessionId);
  if (current.tokenExpiresAt <= services.now()) throw new SpotifyLoginEnded();
  return decrypt(services, current);
}

async function dropLogin(
  services: TokenServices,
  connection: SpotifyConnection,
): Promise<SpotifyError> {
  const [ended] = await closeConnection(services, connection, { bySpotify: false });
  return endedError(ended?.way, { bySpotify: false });
}

/** A session that came by e-mail has lost its connection alone. */
const outlivesConnection: Record<Way, boolean> = { spotify: false, email: true };

function endedError(way: Way | undefined, { bySpotify }: { bySpotify: boolean }) {
  return way && outlivesConnection[way]
    ? new SpotifyNotConnected({ ended: bySpotify })
    : new SpotifyLoginEnded({ bySpotify });
}

/**
 * A session that came by Spotify ends with its tokens; one that came by e-mail goes on without them. The row
 * of an ended one stays until the retention job deletes it, so that the landing page can say who has ended it.
 */
function closeConnection(
  { db, now }: TokenServices,
  connection: SpotifyConnection,
  { bySpotify }: { bySpotify: boolean },
) {
  return db
    .update(sessions)
    .set({
      ...noConnection,
      endedBySpotify: bySpotify,
      expiresAt: sql`iif(way = 'spotify', ${now()}, expires_at)`,
    })
    .where(hasTokensOf(connection))
    .returning({ way: sessions.way });
}

const noConnection = {
  clientId: null,
  accessToken: null,
  refreshToken: null,
  tokenExpiresAt: null,
};

function hasTokensOf({ sessionId, refreshToken }: SpotifyConnection) {
  return and(eq(sessions.id, sessionId), eq(sessions.refreshToken, refreshToken));
}

async function reread(db: Database, sessionId: string): Promise<SpotifyConnection> {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  const connection = row ? toConnection(row) : null;
  if (!connection) throw endedError(row?.way, { bySpotify: row?.endedBySpotify ?? false });
  return connection;
}
