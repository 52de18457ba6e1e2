import { and, desc, eq, gt } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { sessions } from "~/db/schema";
import type { SessionView } from "./views";

/** As many sessions as a list shows. */
const shown = 50;

/** The statement that reads a user's sessions that have not ended, the last active first. */
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
    .limit(shown);
}

/** What the list of sessions shows; their keys stay on the server. */
export function sessionViews(
  rows: Awaited<ReturnType<typeof selectSessions>>,
  currentId: string,
): SessionView[] {
  return rows.map(({ id, ...session }) => ({ ...session, current: id === currentId }));
}

/** Ends all of a user's sessions, with the Spotify tokens in them. */
export async function closeAllSessions(db: Database, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId));
}
