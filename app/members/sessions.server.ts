import { and, desc, eq, gt } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { sessions } from "~/db/schema";
import { sha256 } from "~/platform/crypto.server";
import { endLoginSession } from "./login.server";
import type { Viewer, ViewerSession } from "./viewer.server";
import type { SessionView } from "./views";

/** Sessions that the list shows. */
const maxShown = 50;

/** The statement that reads a user's current sessions, the last active first. */
export function selectSessions(db: Database, userId: string, now: number) {
  return db
    .select({
      id: sessions.id,
      device: sessions.device,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .limit(maxShown);
}

/** The sessions as the list shows them, without their keys. */
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

/** The name of a session on a page, from which its key cannot be derived. */
function handleOf(sessionId: string): Promise<string> {
  return sha256(`session to end\n${sessionId}`);
}

/**
 * Ends one of the user's sessions and deletes its Spotify tokens. Does nothing if the session has ended
 * already or is not the user's.
 * @returns true if it was the session that asks.
 */
export async function endSession(
  db: Database,
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
  await endLoginSession(db, id);
  return id === session.id;
}

/**
 * The statement that records that a session's Spotify account has become Premium since the login: it has
 * played a whole song.
 */
export function notePremium(db: Database, sessionId: string) {
  return db
    .update(sessions)
    .set({ hasSpotifyPremium: true })
    .where(and(eq(sessions.id, sessionId), eq(sessions.hasSpotifyPremium, false)));
}

/**
 * The statement that records that a session's tokens may not add to playlists any more, because Spotify has
 * refused a call for want of the permission (`lacksPermission`). It does nothing if the user has given the
 * permission anew meanwhile.
 */
export function forgetPlaylistGrant(
  db: Database,
  { id, accessToken }: Pick<ViewerSession, "id" | "accessToken">,
) {
  return db
    .update(sessions)
    .set({ mayAddToPlaylists: false })
    .where(and(eq(sessions.id, id), eq(sessions.accessToken, accessToken)));
}

/** Ends all of a user's sessions and deletes their Spotify tokens. */
export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId));
}
