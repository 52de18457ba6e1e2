import { and, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { listens, songWishes } from "~/db/schema";
import type { Evidence, ListenView } from "./listening";
import { type SpotCheck, unlockTime } from "./progress";

/** The statement that reads the viewer's one open listen. */
export function selectOpenListen(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
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

/** An open listen as screens show it. */
export function listenView(row: OpenListenRow | undefined, now: number): ListenView | null {
  if (!row) return null;
  return {
    songId: row.songId,
    unlocksAt: unlockTime(row, now),
    finished: row.finishedAt !== null,
  };
}

/**
 * The statements that open a listen and close the one that was open. One that did not last for the required
 * time is of no use to a rating, and is deleted. A song that was heard, perhaps just now in another tab,
 * gets no new listen: `finished` is the one that it has. A listener needs no mail any more that there are
 * songs.
 */
export function openListen(
  db: Database,
  listen: { id: string; userId: string; songId: string; requiredSeconds: number },
  now: number,
) {
  const { userId, songId } = listen;
  const open = and(eq(listens.userId, userId), isNull(listens.closedAt));
  return {
    left: leaveOpenListen(db, userId),
    closed: db.update(listens).set({ closedAt: now }).where(open),
    opened: insertSelect(db, listens, {
      row: { ...listen, startedAt: now },
      // Its owner may have taken it back meanwhile, or the user have passed on it in another tab.
      from: sql`FROM songs WHERE id = ${songId} AND ${finishedListenOf(userId, songId)} IS NULL
          AND NOT EXISTS (SELECT 1 FROM passes WHERE user_id = ${userId} AND song_id = ${songId})`,
    }).returning({ id: listens.id }),
    finished: db
      .select({ finishedListenId: listens.id, finishedAt: listens.finishedAt })
      .from(listens)
      .where(eq(listens.id, finishedListenOf(userId, songId))),
    wish: db.delete(songWishes).where(eq(songWishes.userId, userId)),
  };
}

/** The statement that deletes the user's open listen, unless it is finished. */
export function leaveOpenListen(db: Database, userId: string) {
  return db
    .delete(listens)
    .where(and(eq(listens.userId, userId), isNull(listens.closedAt), isNull(listens.finishedAt)));
}

/** A listen as it was read, with its last spot check. */
interface ReadListen {
  listenId: string;
  observedAt: number | null;
}

/** The condition that a listen is still as it was read: unfinished, and without another spot check since. */
function isUnchanged({ listenId, observedAt }: ReadListen) {
  return and(
    eq(listens.id, listenId),
    isNull(listens.finishedAt),
    isNull(listens.closedAt),
    sql`${listens.observedAt} IS ${observedAt}`,
  );
}

/** A listen that lasted for the required time, as of `at`. */
export interface HeardListen extends ReadListen {
  evidence: Evidence;
  at: number;
}

/** The statement that records that a listen lasted long enough. A second one changes nothing. */
export function finishListen(db: Database, listen: HeardListen) {
  return db
    .update(listens)
    .set({ finishedAt: listen.at, evidence: listen.evidence })
    .where(and(isUnchanged(listen), isNull(listens.recheckAt)))
    .returning({ id: listens.id });
}

/** The statement that records that Spotify has contradicted a user's open listen of a song. */
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

/** The statement that records an observation of a listen. Of two about the same listen, one is recorded. */
export function recordObservation(db: Database, listen: ReadListen, seen: SpotCheck["seen"]) {
  return db.update(listens).set(seen).where(isUnchanged(listen)).returning({ id: listens.id });
}

/**
 * The id of a user's latest finished listen of a song, for use inside other statements. NULL if the
 * song was not heard for the required time.
 */
export function finishedListenOf(
  userId: string | SQL<string>,
  songId: string | SQLWrapper,
): SQL<string> {
  return sql<string>`(SELECT id FROM listens
    WHERE user_id = ${userId} AND song_id = ${songId} AND finished_at IS NOT NULL
    ORDER BY started_at DESC LIMIT 1)`;
}
