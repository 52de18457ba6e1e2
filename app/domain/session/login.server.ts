import { eq, sql } from "drizzle-orm";
import type { LoginGrant } from "~/adapters/spotify/login";
import type { Database } from "~/db/client.server";
import { activityLog, sessions, users } from "~/db/schema";
import { recogniseAccount } from "~/domain/departure/departure.server";
import { accountFingerprint } from "~/domain/departure/fingerprint.server";
import { seal } from "~/platform/crypto.server";
import { sessionLifetime } from "./lifetime";

/** Logins that a user has at once; beyond it the oldest end. Each login has rate limits of its own. */
const maxSessions = 20;

interface NewSession {
  /** The session row's key. */
  id: string;
  clientId: string;
  tokenKey: Uint8Array<ArrayBuffer>;
  /** What the fingerprint of the Spotify account is made with. */
  secret: string;
  /** Browser and system, or null where neither is known. */
  device: string | null;
  /** The key of the session that this one replaces, or null. */
  replaces: string | null;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Creates a session from a completed login: creates or refreshes the user, and writes the session with
 * its encrypted tokens and the log line, in one batch. A user who comes back after deleting their
 * account gets what is remembered of it.
 */
export async function createLoginSession(
  db: Database,
  grant: LoginGrant,
  session: NewSession,
): Promise<void> {
  const { now } = session;
  const { profile } = grant;
  const userId = sql<string>`(SELECT id FROM users WHERE spotify_id = ${profile.id})`;
  const seen = { displayName: profile.displayName, imageUrl: profile.imageUrl, updatedAt: now };
  const [accessToken, refreshToken, fingerprint] = await Promise.all([
    seal(session.tokenKey, grant.accessToken, session.id),
    seal(session.tokenKey, grant.refreshToken, session.id),
    accountFingerprint(session.secret, profile.id),
  ]);
  await db.batch([
    db
      .insert(users)
      .values({
        id: crypto.randomUUID(),
        spotifyId: profile.id,
        email: profile.email,
        createdAt: now,
        ...seen,
      })
      .onConflictDoUpdate({
        target: users.spotifyId,
        // Keeps an address that Spotify no longer gives: the user may have confirmed it here.
        set: { ...seen, email: sql`coalesce(excluded.email, ${users.email})` },
      }),
    recogniseAccount(db, fingerprint, userId),
    db.delete(sessions).where(eq(sessions.id, session.replaces ?? "")),
    db.insert(sessions).values({
      id: session.id,
      userId,
      clientId: session.clientId,
      accessToken,
      refreshToken,
      tokenExpiresAt: now + grant.expiresIn * 1000,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + sessionLifetime.idleMs,
      device: session.device,
      hasSpotifyPremium: profile.hasPremium,
    }),
    db.delete(sessions).where(
      sql`id IN (SELECT id FROM sessions WHERE user_id = ${userId}
          ORDER BY created_at DESC LIMIT -1 OFFSET ${maxSessions})`,
    ),
    db
      .insert(activityLog)
      .values({ id: crypto.randomUUID(), kind: "login", userId, createdAt: now }),
  ]);
}

/** Whether a completed login is of this user, and not of another account at Spotify. */
export async function isLoginOf(
  db: Database,
  userId: string,
  { profile }: LoginGrant,
): Promise<boolean> {
  const [user] = await db
    .select({ spotifyId: users.spotifyId })
    .from(users)
    .where(eq(users.id, userId));
  return user?.spotifyId === profile.id;
}

/** Ends a session and deletes its tokens. Does nothing if there is no such session. */
export async function endLoginSession(db: Database, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}
