import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { listens, packageSongs, packages, passes, ratings, songs } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { isFullFrom, type Place } from "~/exchange/pool/place";
import { roundOf } from "~/exchange/round/round.server";
import { finishedListenOf } from "~/sources/listens.server";

export type SongForViewer = NonNullable<Awaited<ReturnType<typeof readSong>>>;

interface Finished {
  finishedListenId: string | null;
  finishedAt: number | null;
}

export async function readSong(
  db: Database,
  userId: string,
  songId: string,
  place: Place | null = null,
) {
  // A join reads a row of nothing.
  const ofViewer = (table: typeof ratings | typeof passes, user: SQLiteColumn) =>
    sql<string | null>`(SELECT id FROM ${table} WHERE ${user} = ${userId} AND song_id = ${songId})`;
  const [row] = await db
    .select({
      ownerId: songs.ownerId,
      owedSince: songs.owedSince,
      restingSince: songs.restingSince,
      withdrawn: songs.withdrawn,
      isFull: asBoolean(isFullFrom(place), "is_full"),
      ...songColumns,
      artistIds: songs.artistIds,
      ratingId: ofViewer(ratings, ratings.raterId).as("rating_id"),
      passId: ofViewer(passes, passes.userId).as("pass_id"),
      roundId: roundOf(userId, sql`songs.id`).as("round"),
      inPackage: sql<string | null>`${packageSongs.songId}`.as("in_package"),
      favoritedAt: packageSongs.favoritedAt,
      listen: {
        listenId: listens.id,
        startedAt: listens.startedAt,
        requiredSeconds: listens.requiredSeconds,
        doubtedAt: listens.doubtedAt,
        observedAt: listens.observedAt,
        heardMs: listens.heardMs,
        positionMs: listens.positionMs,
        recheckAt: listens.recheckAt,
        deliveredMs: listens.deliveredMs,
      },
      finished: finishedListenOf(
        userId,
        songId,
        sql`json_object('finishedListenId', id, 'finishedAt', finished_at)`,
      )
        .mapWith((text: string): Finished => JSON.parse(text))
        .as("finished"),
    })
    .from(songs)
    .leftJoin(packages, eq(packages.userId, userId))
    .leftJoin(
      packageSongs,
      and(eq(packageSongs.packageId, packages.id), eq(packageSongs.songId, songs.id)),
    )
    .leftJoin(
      listens,
      and(
        eq(listens.userId, userId),
        eq(listens.songId, songs.id),
        sql`${listens.closedAt} IS NULL`,
      ),
    )
    .where(eq(songs.id, songId));
  if (!row) return null;
  const finished: Finished = row.finished ?? { finishedListenId: null, finishedAt: null };
  return { ...row, ...finished, songId, userId };
}
