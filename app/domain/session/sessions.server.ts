import { and, desc, eq, gt } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { sessions } from "~/db/schema";
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
): SessionView[] {
  return rows.map(({ id, ...session }) => ({ ...session, current: id === currentId }));
}

/** Ends all of a user's sessions and deletes their Spotify tokens. */
export async function endAllSessions(db: Database, userId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.userId, userId));
}
