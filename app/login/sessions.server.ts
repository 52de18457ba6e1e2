import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Database, DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { sessions, users } from "~/db/schema";
import { forgetWaitingAddress } from "~/mailing/address.server";
import { hearsUntil } from "~/members/hearing.server";
import type { SpotifyConnection } from "~/members/spotify-connection";
import type { Viewer } from "~/members/viewer.server";
import type { SessionView } from "~/members/views";
import { sha256 } from "~/platform/crypto.server";
import { endLoginSession } from "./open-session.server";

const maxShown = 50;

export function selectSessions(db: Database, userId: string, now: number) {
  return db
    .select({
      id: sessions.id,
      device: sessions.device,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      way: sessions.way,
      spotify: asBoolean(sql`${sessions.accessToken} IS NOT NULL`, "spotify"),
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .limit(maxShown);
}

export function sessionViews(
  rows: Awaited<ReturnType<typeof selectSessions>>,
  currentId: string,
): Promise<SessionView[]> {
  return Promise.all(
    rows.map(async ({ id, ...session }) => ({
      ...session,
      handle: await handleOf(id),
      current: id === currentId,
    })),
  );
}

/** A name for pages, from which the key cannot be derived. */
function handleOf(sessionId: string): Promise<string> {
  return sha256(`session to end\n${sessionId}`);
}

/**
 * Does nothing if the session has ended or is not the user's. True if it was the session that asks; else the address
 * that waits to be confirmed is forgotten, because whoever is logged out may have asked for it.
 */
export async function endSession(
  { db, now }: DatabaseAndClock,
  { userId, session }: Pick<Viewer, "userId" | "session">,
  handle: string,
): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  const handles = await Promise.all(rows.map(({ id }) => handleOf(id)));
  const id = rows[handles.indexOf(handle)]?.id;
  if (id === undefined) return false;
  await runBatch(db, {
    session: endLoginSession(db, id),
    waiting: id === session.id ? null : forgetWaitingAddress(db, userId, now()),
  });
  return id === session.id;
}

/** The account has become Premium since the login, because it has played a whole song. */
export function notePremium(
  db: Database,
  { userId, session }: Pick<Viewer, "userId" | "session">,
  now: number,
) {
  const wasWithout = sql`EXISTS (SELECT 1 FROM sessions
    WHERE sessions.id = ${session.id} AND has_spotify_premium = 0)`;
  return {
    account: db
      .update(users)
      .set({ hearsSpotifyUntil: hearsUntil(true, now) })
      .where(and(eq(users.id, userId), wasWithout)),
    login: db
      .update(sessions)
      .set({ hasSpotifyPremium: true })
      .where(and(eq(sessions.id, session.id), eq(sessions.hasSpotifyPremium, false))),
  };
}

/**
 * Spotify has refused a call for want of the permission (`lacksPermission`). Does nothing if the user has
 * given the permission again since.
 */
export function forgetPlaylistGrant(
  db: Database,
  connection: Pick<SpotifyConnection, "sessionId" | "accessToken"> | null,
) {
  const { sessionId = "", accessToken = "" } = connection ?? {};
  return db
    .update(sessions)
    .set({ mayAddToPlaylists: false })
    .where(and(eq(sessions.id, sessionId), eq(sessions.accessToken, accessToken)));
}

/** With them goes the address that waits to be confirmed: any of them may have asked for it. */
export async function endAllSessions({ db, now }: DatabaseAndClock, userId: string): Promise<void> {
  await runBatch(db, {
    sessions: db.delete(sessions).where(eq(sessions.userId, userId)),
    waiting: forgetWaitingAddress(db, userId, now()),
  });
}
