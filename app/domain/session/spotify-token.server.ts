import { and, eq, lt } from "drizzle-orm";
import { refreshTokens } from "~/adapters/spotify/login.server";
import { SpotifyError, SpotifyLoginEnded } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { sessions } from "~/db/schema";
import { seal, unseal } from "~/platform/crypto.server";
import type { Config } from "~/platform/env";
import type { ViewerSession } from "./viewer.server";

/** A token is renewed when it has less than this left, in milliseconds. */
const renewAheadMs = 5 * 60_000;
/** A renewal that has not ended by then is taken to have died, in milliseconds. */
const leaseMs = 15_000;
/** How often, and how many times, to look for a renewal under way elsewhere. */
const pollIntervalMs = 250;
const maxPolls = 40;

/** A valid Spotify access token. */
export interface AccessToken {
  accessToken: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * The session's Spotify access token, renewed where it is about to expire. Of any number of
 * requests at once one renews: it holds a lease in the session's row, the others use the old token
 * while that lasts and else wait for the new one.
 * @param refused Spotify has refused the token in `session`: only another one will do.
 * @throws SpotifyLoginEnded where the user must log in again; SpotifyError when Spotify is down.
 */
export async function spotifyToken(
  db: Database,
  config: Config,
  session: ViewerSession,
  now: () => number,
  refused = false,
): Promise<AccessToken> {
  let current = session;
  for (let look = 0; look <= maxPolls; look += 1) {
    if (look > 0) current = await reread(db, session.id);
    const left =
      refused && current.accessToken === session.accessToken ? 0 : current.tokenExpiresAt - now();
    if (left > renewAheadMs) return open(db, config, current);
    if (await takeLease(db, current, now())) return renew(db, config, current, now, left > 0);
    if (left > 0) return open(db, config, current);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
  throw new SpotifyError(0, "Spotify gave no token in time");
}

async function open(db: Database, config: Config, session: ViewerSession): Promise<AccessToken> {
  const accessToken = await unseal(config.tokenKey, session.accessToken, session.id);
  // Sealed under a key that is no longer in use.
  if (!accessToken) throw await endLogin(db, session);
  return { accessToken, expiresAt: session.tokenExpiresAt };
}

/** Conditional on the token that was read: a request that comes late does not renew a second time. */
async function takeLease(db: Database, session: ViewerSession, now: number): Promise<boolean> {
  const taken = await db
    .update(sessions)
    .set({ refreshLeaseUntil: now + leaseMs })
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
  db: Database,
  config: Config,
  session: ViewerSession,
  now: () => number,
  oldOneServes: boolean,
): Promise<AccessToken> {
  const client = config.spotifyClients.find(({ id }) => id === session.clientId);
  const refreshToken = await unseal(config.tokenKey, session.refreshToken, session.id);
  if (!client || !refreshToken) throw await endLogin(db, session);
  try {
    const fresh = await refreshTokens(config.spotifyAccountsUrl, client, refreshToken);
    const expiresAt = now() + fresh.expiresIn * 1000;
    await db
      .update(sessions)
      .set({
        accessToken: await seal(config.tokenKey, fresh.accessToken, session.id),
        tokenExpiresAt: expiresAt,
        refreshLeaseUntil: 0,
        ...(fresh.refreshToken
          ? { refreshToken: await seal(config.tokenKey, fresh.refreshToken, session.id) }
          : {}),
      })
      .where(eq(sessions.id, session.id));
    return { accessToken: fresh.accessToken, expiresAt };
  } catch (error) {
    if (error instanceof SpotifyLoginEnded) throw await endLogin(db, session);
    await db.update(sessions).set({ refreshLeaseUntil: 0 }).where(eq(sessions.id, session.id));
    if (oldOneServes) return open(db, config, session);
    throw error;
  }
}

/**
 * Ends a login whose tokens open nothing any more; the next page asks the user to log in again.
 * Not where another request has renewed them meanwhile.
 */
async function endLogin(db: Database, session: ViewerSession): Promise<SpotifyLoginEnded> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.id, session.id), eq(sessions.refreshToken, session.refreshToken)));
  return new SpotifyLoginEnded();
}

async function reread(db: Database, sessionId: string): Promise<ViewerSession> {
  const [row] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  if (!row) throw new SpotifyLoginEnded();
  return row;
}
