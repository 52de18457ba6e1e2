import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { gated } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { listens, songWishes } from "~/db/schema";
import { positionOf, unlockTime } from "~/sources/listen";
import { finishedListenOf, isUnchanged } from "~/sources/listens.server";
import type { Heard } from "~/sources/source";
import type { ListenView } from "./listening";

export function selectOpenListen(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      listenId: listens.id,
      deliveredMs: listens.deliveredMs,
      songId: listens.songId,
      startedAt: listens.startedAt,
      requiredSeconds: listens.requiredSeconds,
      observedAt: listens.observedAt,
      heardMs: listens.heardMs,
      recheckAt: listens.recheckAt,
      finishedAt: listens.finishedAt,
    })
    .from(listens)
    .where(and(eq(listens.userId, viewerId), isNull(listens.closedAt)));
}

type OpenListenRow = Awaited<ReturnType<typeof selectOpenListen>>[number];

export function listenView(row: OpenListenRow | undefined, now: number): ListenView | null {
  if (!row) return null;
  const finished = row.finishedAt !== null;
  // What is delivered after that is noted no more.
  const heardMs = finished ? row.requiredSeconds * 1000 : 0;
  return {
    listenId: row.listenId,
    songId: row.songId,
    positionMs: Math.max(heardMs, positionOf(row.deliveredMs)),
    unlocksAt: unlockTime(row, now),
    finished,
  };
}

/**
 * Opens a listen and closes the one that was open (rule 14, one listen). A song that was heard, perhaps just now in
 * another tab, gets no new listen: `finished` is the one that it has.
 */
export function openListen(
  db: Database,
  listen: { id: string; userId: string; songId: string; requiredSeconds: number },
  now: number,
  condition: SQL = sql`1`,
) {
  const { userId, songId } = listen;
  const open = and(eq(listens.userId, userId), isNull(listens.closedAt));
  return {
    left: leaveOpenListen(db, userId),
    closed: db.update(listens).set({ closedAt: now }).where(open),
    opened: insertSelect(db, listens, {
      row: { ...listen, startedAt: now },
      // The song may have been deleted, or the user have passed on it in another tab.
      from: sql`FROM songs WHERE id = ${songId} AND ${finishedListenOf(userId, songId)} IS NULL
          AND NOT EXISTS (SELECT 1 FROM passes WHERE user_id = ${userId} AND song_id = ${songId})
          AND ${condition}`,
    }).returning({ id: listens.id }),
    finished: db
      .select({ finishedListenId: listens.id, finishedAt: listens.finishedAt })
      .from(listens)
      .where(eq(listens.id, finishedListenOf(userId, songId))),
    wish: db.delete(songWishes).where(eq(songWishes.userId, userId)),
  };
}

export function leaveOpenListen(db: Database, userId: string) {
  return db
    .delete(listens)
    .where(and(eq(listens.userId, userId), isNull(listens.closedAt), isNull(listens.finishedAt)));
}

export interface HeardListen extends Heard {
  listenId: string;
  observedAt: number | null;
}

/** Records that a listen lasted long enough. A second one changes nothing. */
export function finishListen(
  db: Database,
  listen: Pick<HeardListen, "listenId" | "observedAt" | "evidence" | "at">,
) {
  return db
    .update(listens)
    .set({ finishedAt: listen.at, evidence: listen.evidence })
    .where(and(isUnchanged(listen), isNull(listens.recheckAt)))
    .returning({ id: listens.id });
}

/** Records that a song was heard, and what was learned of it. A second time changes nothing. */
export function writeHeard(db: Database, listen: HeardListen) {
  const hasFinished = sql`EXISTS (SELECT 1 FROM listens WHERE id = ${listen.listenId} AND finished_at = ${listen.at})`;
  return gated(finishListen(db, listen), hasFinished, listen.learned);
}

export function doubtListen(
  db: Database,
  { userId, songId }: { userId: string; songId: string },
  now: number,
) {
  return db
    .update(listens)
    .set({ doubtedAt: now })
    .where(
      and(
        eq(listens.userId, userId),
        eq(listens.songId, songId),
        isNull(listens.closedAt),
        isNull(listens.finishedAt),
      ),
    );
}
