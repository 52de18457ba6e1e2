import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { newestKept } from "~/db/periods";
import { activityLog, sessions } from "~/db/schema";
import { sessionLifetime } from "~/members/lifetime";

/** Beyond it the oldest end, because each login has rate limits of its own. */
const maxSessions = 20;

export interface NewSession {
  id: string;
  /** Keys the fingerprint of what the user comes in by. */
  secret: string;
  device: string | null;
  replaces: string | null;
  now: number;
}

type SessionRow = typeof sessions.$inferInsert;

/** Writes a session and its line in the log, if `only` is true. Of the user's, only the newest stay. */
export function openSession(
  db: Database,
  { id, device, replaces, now }: NewSession,
  {
    userId,
    ...opened
  }: Pick<SessionRow, "way"> & Partial<Omit<SessionRow, "userId">> & { userId: SQL<string> },
  only: SQL = sql`true`,
) {
  return {
    replaced: db.delete(sessions).where(sql`id = ${replaces ?? ""} AND ${only}`),
    session: insertSelect(db, sessions, {
      row: {
        ...opened,
        ...{ id, userId, device, createdAt: now, lastSeenAt: now },
        expiresAt: now + sessionLifetime.idleMs,
      },
      from: sql`WHERE ${only}`,
    }),
    oldest: db.delete(sessions).where(
      sql`id IN (SELECT id FROM sessions WHERE user_id = ${userId}
          ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${maxSessions})`,
    ),
    log: insertSelect(db, activityLog, {
      row: { id: crypto.randomUUID(), kind: "login", userId, createdAt: now },
      from: sql`WHERE ${only}`,
    }),
    oldestLines: db.delete(activityLog).where(
      sql`id IN (SELECT id FROM activity_log WHERE user_id = ${userId} AND kind = 'login'
          ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${newestKept.logins})`,
    ),
  };
}

export function endLoginSession(db: Database, sessionId: string) {
  return db.delete(sessions).where(eq(sessions.id, sessionId));
}
