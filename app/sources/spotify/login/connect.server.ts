import { and, eq, gt, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, runBatch } from "~/db/gated";
import { sessions, users } from "~/db/schema";
import { hearsUntil } from "~/members/hearing.server";
import { accountFingerprints, gainWay } from "~/members/what-outlives.server";
import type { LoginGrant } from "~/sources/spotify/client/consent.server";
import { connectionColumns, type NewConnection, usableAddress } from "./session.server";

interface AskingSession extends NewConnection {
  userId: string;
  /** Keys the fingerprints of ways in. */
  secret: string;
}

/**
 * Connects a Spotify account to the user of the session that asked, and to that session. Refused if the
 * account belongs to another user ("taken"), if the user has another one, or if the session has ended or is
 * somebody else's by now ("stale"). What an earlier account left with it (rules 37 and 39) holds for the user.
 */
export async function connectSpotify(
  db: Database,
  grant: LoginGrant,
  session: AskingSession,
): Promise<"connected" | "another account" | "taken" | "stale"> {
  const { profile } = grant;
  const { id, userId, secret, now } = session;
  const [user] = await db
    .select({ ownEmail: users.ownEmail })
    .from(users)
    .where(eq(users.id, userId));
  const ways = { spotifyId: profile.id, ownEmail: user?.ownEmail ?? null };
  const connection = await connectionColumns(grant, session);
  const fingerprints = await accountFingerprints(secret, ways);
  const isOpen = sql`EXISTS (SELECT 1 FROM sessions
    WHERE id = ${id} AND user_id = ${userId} AND expires_at > ${now})`;
  const hasIt = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND spotify_id = ${profile.id})`;
  const isTaken = sql`EXISTS (SELECT 1 FROM users WHERE spotify_id = ${profile.id} AND id <> ${userId})`;
  const connect = db
    .update(users)
    .set({
      spotifyId: profile.id,
      spotifyName: profile.displayName,
      ownName: sql`own_name OR spotify_id IS NULL`,
      email: sql`coalesce(email, ${usableAddress(profile)})`,
      imageUrl: sql`coalesce(image_url, ${profile.imageUrl})`,
      hearsSpotifyUntil: hearsUntil(profile.hasPremium, now),
      updatedAt: now,
    })
    .where(
      sql`id = ${userId} AND coalesce(spotify_id, ${profile.id}) = ${profile.id}
        AND NOT ${isTaken} AND ${isOpen}`,
    )
    .returning({ id: users.id });
  const read = await runBatch(db, {
    before: db
      .select({ spotifyId: users.spotifyId, taken: asBoolean(isTaken, "taken") })
      .from(users)
      .where(eq(users.id, userId)),
    connected: gated(connect, sql`(${hasIt} AND ${isOpen})`, (only) => ({
      session: db
        .update(sessions)
        .set({
          ...connection,
          refreshLeaseUntil: 0,
          hasSpotifyPremium: profile.hasPremium,
          endedBySpotify: false,
        })
        .where(and(eq(sessions.id, id), gt(sessions.expiresAt, now), only)),
      way: gainWay(db, { userId, gained: fingerprints[0] ?? "", fingerprints, now }, only),
    })),
  });
  if (read.connected.gate.length > 0) return "connected";
  const [before] = read.before;
  if (before?.taken) return "taken";
  return (before?.spotifyId ?? profile.id) === profile.id ? "stale" : "another account";
}
