import { and, eq, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { listens } from "~/db/schema";

interface ReadListen {
  listenId: string;
  observedAt: number | null;
}

/** A listen is open, and nobody has observed it since it was read. */
export function isUnchanged({ listenId, observedAt }: ReadListen) {
  return and(
    eq(listens.id, listenId),
    isNull(listens.finishedAt),
    isNull(listens.closedAt),
    sql`${listens.observedAt} IS ${observedAt}`,
  );
}

type Observed = "observedAt" | "heardMs" | "positionMs" | "recheckAt" | "doubtedAt";

/** Records an observation of a listen. Of two about the same listen, one is recorded. */
export function recordObservation(
  db: Database,
  listen: ReadListen,
  seen: Partial<Pick<typeof listens.$inferInsert, Observed>>,
) {
  return db.update(listens).set(seen).where(isUnchanged(listen)).returning({ id: listens.id });
}

/** The id of a user's latest finished listen of a song, or `what` of it, or NULL. */
export function finishedListenOf(
  userId: string | SQL<string>,
  songId: string | SQLWrapper,
  what = sql`id`,
): SQL<string> {
  return sql<string>`(SELECT ${what} FROM listens
    WHERE user_id = ${userId} AND song_id = ${songId} AND finished_at IS NOT NULL
    ORDER BY started_at DESC LIMIT 1)`;
}
