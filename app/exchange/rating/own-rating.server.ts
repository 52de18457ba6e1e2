import { and, type Column, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { ratings, songs } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { releaseColumns } from "~/exchange/release/release.server";
import type { Viewer } from "~/members/viewer.server";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { reasonsWindowMs } from "./reasons";

export type OwnRating = Awaited<ReturnType<typeof selectOwnRating>>[number];

/** The name of the newest of the viewer's playlists that have a song, as far as it is known. */
export function playlistWith(
  viewerId: string | SQL<string>,
  songId: SQL | Column,
): SQL.Aliased<string | null> {
  return sql<string | null>`(SELECT playlist_name FROM playlist_adds AS held
    WHERE held.user_id = ${viewerId} AND held.song_id = ${songId}
    ORDER BY held.added_at DESC LIMIT 1)`.as("playlist");
}

/** A condition on rows of `ratings`: everybody would know whose mark it is that changes now (rule 47, rounds). */
export const isOfOpenRound = sql`EXISTS (SELECT 1 FROM rounds
  WHERE rounds.id = ratings.round_id AND rounds.opened_at IS NOT NULL)`;

export function selectOwnRating(db: Database, viewerId: string | SQL<string>, songId: string) {
  return selectOwnRatings(db, viewerId).where(
    and(eq(ratings.raterId, viewerId), eq(ratings.songId, songId)),
  );
}

/** The newest since then, if any. */
export function selectNewestRating(
  db: Database,
  viewerId: string | SQL<string>,
  since: SQL<number>,
) {
  return selectOwnRatings(db, viewerId)
    .where(and(eq(ratings.raterId, viewerId), gt(ratings.createdAt, since)))
    .orderBy(desc(ratings.createdAt))
    .limit(1);
}

function selectOwnRatings(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      ...songColumns,
      songId: ratings.songId,
      score: ratings.score,
      createdAt: ratings.createdAt,
      isFinal: asBoolean(isOfOpenRound, "is_final"),
      reasons: ratings.reasons,
      roundId: ratings.roundId,
      playlist: playlistWith(viewerId, ratings.songId),
      ...releaseColumns(viewerId),
    })
    .from(ratings)
    .innerJoin(songs, eq(songs.id, ratings.songId));
}

/** Replaces the reasons of a rating (rule 20, reasons), within 15 minutes of it; 0 as `bits` takes them back. */
export async function giveReasons(
  { db, now }: { db: Database; now(): number },
  { userId }: Viewer,
  { songId, bits }: { songId: string; bits: number },
): Promise<{ ok: true } | Rejection> {
  const { rated, changed } = await runBatch(db, {
    rated: selectOwnRating(db, userId, songId),
    changed: db
      .update(ratings)
      .set({ reasons: bits === 0 ? null : bits })
      .where(
        and(
          eq(ratings.raterId, userId),
          eq(ratings.songId, songId),
          gt(ratings.createdAt, now() - reasonsWindowMs),
        ),
      )
      .returning({ id: ratings.id }),
  });
  if (changed.length === 0) {
    if (rated.length === 0) return reject(404, "You have not rated this song.");
    return reject(409, "You can say why for 15 minutes after your rating. It counts either way.");
  }
  logEvent("reasons_given");
  return { ok: true };
}
