import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { listens } from "~/db/schema";
import type { ListenView } from "./listening";
import { unlockTime } from "./listening";

/** The statement that reads the viewer's one open listen. */
export function selectOpenListen(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      songId: listens.songId,
      startedAt: listens.startedAt,
      requiredSeconds: listens.requiredSeconds,
      finishedAt: listens.finishedAt,
    })
    .from(listens)
    .where(and(eq(listens.userId, viewerId), isNull(listens.closedAt)));
}

type OpenListenRow = Awaited<ReturnType<typeof selectOpenListen>>[number];

/** What screens show of an open listen. */
export function listenView(row: OpenListenRow | undefined): ListenView | null {
  if (!row) return null;
  return {
    songId: row.songId,
    unlocksAt: unlockTime(row),
    finished: row.finishedAt !== null,
  };
}

/**
 * The statements that open a listen; a new one closes the old. What was not heard for its time guards
 * no rating any more, and goes.
 */
export function openListen(
  db: Database,
  listen: { id: string; userId: string; songId: string; requiredSeconds: number },
  now: number,
) {
  const open = and(eq(listens.userId, listen.userId), isNull(listens.closedAt));
  return [
    db.delete(listens).where(and(open, isNull(listens.finishedAt))),
    db.update(listens).set({ closedAt: now }).where(open),
    db.insert(listens).values({ ...listen, startedAt: now }),
  ] as const;
}

/** The statement that records that a listen was heard for its time. A second one changes nothing. */
export function finishListen(
  db: Database,
  listenId: string,
  evidence: "spotify" | "clock",
  now: number,
) {
  return db
    .update(listens)
    .set({ finishedAt: now, evidence })
    .where(and(eq(listens.id, listenId), isNull(listens.finishedAt), isNull(listens.closedAt)))
    .returning({ id: listens.id });
}

/** The statement that records that Spotify has contradicted a listen. */
export function doubtListen(db: Database, listenId: string, now: number) {
  return db.update(listens).set({ doubtedAt: now }).where(eq(listens.id, listenId));
}

/**
 * An id of the latest finished listen of a user and song, for use inside other statements.
 * NULL where the song was not heard for its time.
 */
export function finishedListenOf(userId: string, songId: string): SQL<string> {
  return sql<string>`(SELECT id FROM listens
    WHERE user_id = ${userId} AND song_id = ${songId} AND finished_at IS NOT NULL
    ORDER BY started_at DESC LIMIT 1)`;
}
