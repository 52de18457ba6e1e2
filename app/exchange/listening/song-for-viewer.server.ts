import { and, eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { listens, packageSongs, packages, passes, ratings, songs } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { isFullFrom, type Place } from "~/exchange/pool/place";
import { roundOf } from "~/exchange/round/round.server";
import { finishedListenOf } from "~/sources/listens.server";

export type SongForViewer = NonNullable<Awaited<ReturnType<typeof readSong>>>;

export async function readSong(
  db: Database,
  userId: string,
  songId: string,
  place: Place | null = null,
) {
  const [row] = await db
    .select({
      ownerId: songs.ownerId,
      owedSince: songs.owedSince,
      restingSince: songs.restingSince,
      withdrawn: songs.withdrawn,
      isFull: asBoolean(isFullFrom(place), "is_full"),
      ...songColumns,
      artistIds: songs.artistIds,
      ratingId: sql<string | null>`${ratings.id}`.as("rating_id"),
      passId: sql<string | null>`${passes.id}`.as("pass_id"),
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
      finishedListenId: sql<string | null>`${finishedListenOf(userId, songId)}`.as(
        "finished_listen_id",
      ),
      finishedAt: sql<number | null>`(
        SELECT max(finished.finished_at) FROM listens AS finished
        WHERE finished.user_id = ${userId} AND finished.song_id = ${songId})`.as("finished_at"),
    })
    .from(songs)
    .leftJoin(ratings, and(eq(ratings.raterId, userId), eq(ratings.songId, songs.id)))
    .leftJoin(passes, and(eq(passes.userId, userId), eq(passes.songId, songs.id)))
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
  return row ? { ...row, songId, userId } : null;
}
