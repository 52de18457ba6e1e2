import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { sessions, users } from "~/db/schema";
import { type NewSession, openSession } from "~/login/open-session.server";
import { hearsUntil } from "~/members/hearing.server";
import { readMailAddress } from "~/members/mail-address";
import { activeAt } from "~/members/visit.server";
import { recogniseAccount, wayFingerprint } from "~/members/what-outlives.server";
import { seal } from "~/platform/crypto.server";
import { isRejection } from "~/platform/rejection";
import type { LoginGrant } from "~/sources/spotify/client/consent.server";
import type { SpotifyProfile } from "~/sources/spotify/client/spotify";

/** Null for one that cannot be read, because no mail could go there. */
export function usableAddress({ email }: Pick<SpotifyProfile, "email">): string | null {
  const read = email === null ? null : readMailAddress(email);
  return isRejection(read) ? null : read;
}

export interface NewConnection extends Pick<NewSession, "id" | "now"> {
  clientId: string;
  tokenKey: Uint8Array<ArrayBuffer>;
}

/** What a session keeps of a consent at Spotify. */
export async function connectionColumns(
  { accessToken, refreshToken, expiresIn, mayAddToPlaylists }: LoginGrant,
  { id, now, clientId, tokenKey }: NewConnection,
) {
  return {
    clientId,
    accessToken: await seal(tokenKey, accessToken, id),
    refreshToken: await seal(tokenKey, refreshToken, id),
    tokenExpiresAt: now + expiresIn * 1000,
    mayAddToPlaylists,
  };
}

/**
 * Creates or refreshes the user, and writes the session and the log line, in one batch. Only the newest
 * sessions and lines of the user stay. An earlier account's departure is linked to the user.
 */
export async function createLoginSession(
  db: Database,
  grant: LoginGrant,
  session: NewSession & NewConnection,
): Promise<void> {
  const { now } = session;
  const { profile } = grant;
  const userId = sql<string>`(SELECT id FROM users WHERE spotify_id = ${profile.id})`;
  const profileColumns = {
    spotifyName: profile.displayName,
    imageUrl: profile.imageUrl,
    hearsSpotifyUntil: hearsUntil(profile.hasPremium, now),
    updatedAt: now,
  };
  const connection = await connectionColumns(grant, session);
  const fingerprint = await wayFingerprint(session.secret, "spotifyId", profile.id);
  await runBatch(db, {
    user: db
      .insert(users)
      .values({
        id: crypto.randomUUID(),
        spotifyId: profile.id,
        displayName: profile.displayName,
        email: usableAddress(profile),
        createdAt: now,
        lastActiveAt: now,
        ...profileColumns,
      })
      .onConflictDoUpdate({
        target: users.spotifyId,
        set: {
          ...profileColumns,
          ...activeAt(now),
          displayName: sql`iif(${users.ownName}, ${users.displayName}, excluded.display_name)`,
          // Keeps an address that Spotify no longer gives, because the user may have confirmed it here.
          email: sql`coalesce(excluded.email, ${users.email})`,
          // The secret that keys it may have been changed since the last login.
          addressFingerprint: null,
        },
      }),
    departure: recogniseAccount(db, fingerprint, userId),
    session: openSession(db, session, {
      userId,
      way: "spotify",
      ...connection,
      hasSpotifyPremium: profile.hasPremium,
    }),
  });
}

/**
 * Puts the tokens of a login that asked for more permissions into the session that asked. A renewal of the
 * old tokens that is under way does not undo it (token.server.ts). "stale": the session has ended.
 */
export async function extendLoginSession(
  db: Database,
  grant: LoginGrant,
  session: NewConnection & { userId: string },
): Promise<"extended" | "another account" | "stale"> {
  const { id, now } = session;
  const isUser = and(eq(users.id, session.userId), eq(users.spotifyId, grant.profile.id));
  const { found, extended } = await runBatch(db, {
    found: db.select({ id: users.id }).from(users).where(isUser),
    extended: db
      .update(sessions)
      .set({ ...(await connectionColumns(grant, session)), refreshLeaseUntil: 0 })
      .where(
        and(
          eq(sessions.id, id),
          gt(sessions.expiresAt, now),
          inArray(sessions.userId, db.select({ id: users.id }).from(users).where(isUser)),
        ),
      )
      .returning({ id: sessions.id }),
  });
  if (found.length === 0) return "another account";
  return extended.length > 0 ? "extended" : "stale";
}

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
