import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { prepared } from "~/db/prepared";
import { ratings, songs } from "~/db/schema";
import { songColumns } from "~/db/song-columns";
import { playlistWith } from "~/exchange/rating/own-rating.server";
import { isScore } from "~/exchange/rating/scale";
import { releaseColumns, toReleaseView } from "~/exchange/release/release.server";
import { selectViewer, touchIfDue, toViewer, viewerIdGiven } from "~/members/viewer.server";
import { beginning, type Cursor, placeText, songsPerPage } from "./received";

export type RatedSong = NonNullable<Awaited<ReturnType<typeof ratingsGiven>>>["songs"][number];

const selectPage = prepared((db, param) => {
  const viewerId = viewerIdGiven(param);
  return db
    .select({
      songId: songs.id,
      trackId: songs.trackId,
      title: songs.title,
      artists: songs.artists,
      artUrl: songColumns.artUrl,
      smallerArt: songs.smallerArt,
      spotifyUrl: songs.spotifyUrl,
      explicit: songs.explicit,
      made: songs.made,
      score: ratings.score,
      playlist: playlistWith(viewerId, songs.id),
      ratedAt: sql<number>`${ratings.createdAt}`.as("rated_at"),
      /** As long as the song is in the package. Spotify may know of more favorites. */
      favorited: asBoolean(
        sql`EXISTS (
          SELECT 1 FROM packages JOIN package_songs ON package_id = packages.id
          WHERE user_id = ${viewerId} AND song_id = ${songs.id} AND favorited_at IS NOT NULL)`,
        "favorited",
      ),
      ...releaseColumns(viewerId),
    })
    .from(ratings)
    .innerJoin(songs, eq(songs.id, ratings.songId))
    .where(
      and(
        eq(ratings.raterId, viewerId),
        sql`(${ratings.createdAt}, ${ratings.songId}) < (${param("at")}, ${param("songId")})`,
      ),
    )
    .orderBy(desc(ratings.createdAt), desc(ratings.songId))
    .limit(songsPerPage + 1);
});

/**
 * A page of "Songs I rated", newest rating first. Null if the session has ended. One round trip, and a second
 * one when the session's activity is due to be recorded.
 */
export async function ratingsGiven(
  db: Database,
  sessionId: string,
  after: Cursor | null,
  { now, isActivity }: { now: number; isActivity: boolean },
) {
  const login = { sessionId, now };
  const { found, ...read } = await runBatch(db, {
    viewer: selectViewer(db, login),
    found: selectPage(db, { ...login, ...(after ?? beginning) }),
  });
  const viewer = toViewer(read.viewer);
  if (!viewer) return null;
  await runBatch(db, touchIfDue(db, viewer, { now, isActivity }));
  const page = found.slice(0, songsPerPage);
  const last = page.at(-1);
  return {
    viewer,
    songs: page.flatMap(({ score, releaseUrl, releaseWish, ...song }) =>
      isScore(score)
        ? [{ ...song, score, release: toReleaseView({ releaseUrl, releaseWish }) }]
        : [],
    ),
    next: found.length > songsPerPage && last ? placeText({ ...last, at: last.ratedAt }) : null,
  };
}
