import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { newestKept } from "~/db/periods";
import { playlistScore, playlistWindowMs } from "~/db/rules";
import { playlistAdds, ratings, songs, users } from "~/db/schema";
import { songColumns } from "~/db/song-columns";

/** Nothing was changed, unless the text says so. */
export const playlistTexts = {
  notRated: "You can put a song into a playlist once you have rated it.",
  notAtSpotify:
    "This is the artist's own recording, which Spotify does not have, so no playlist there can hold it.",
  full: "This playlist is full, so nothing was added. Choose another one.",
  gone: "This playlist is gone, so nothing was added. Choose another one.",
  "not yours":
    "This playlist is somebody else's, and you may not add to it, so nothing was added. Choose another one.",
  busy: "We are still working on your last press. Try again in a moment.",
  unread: {
    outage: "Spotify is not answering right now. Try again in a moment.",
    refused: "Spotify did not show us your playlists. Try again later.",
  },
  notAdded: {
    outage: "Spotify is not answering right now, so nothing was added. Try again in a moment.",
    refused:
      "Spotify did not let us add the song, so nothing was changed. Choose another playlist, or try again later.",
  },
  unsure:
    "Spotify did not answer, so we cannot tell whether the song was added. Press again: it is not added twice.",
} as const;

export function selectRatedSong(db: Database, userId: string, songId: string) {
  return db
    .select({
      ...songColumns,
      ratedAt: sql<number | null>`${ratings.createdAt}`.as("rated_at"),
    })
    .from(songs)
    .leftJoin(ratings, and(eq(ratings.raterId, userId), eq(ratings.songId, songs.id)))
    .where(eq(songs.id, songId));
}

export function selectAdds(db: Database, userId: string, since: number) {
  return db
    .select({
      songId: playlistAdds.songId,
      playlistId: playlistAdds.playlistId,
      playlistName: playlistAdds.playlistName,
      trackId: songs.trackId,
      isrc: songs.isrc,
    })
    .from(playlistAdds)
    .innerJoin(songs, eq(songs.id, playlistAdds.songId))
    .where(and(eq(playlistAdds.userId, userId), gt(playlistAdds.addedAt, since)));
}

/** No row if the lease is taken, or the song is not rated. */
export function takeLease(
  db: Database,
  { userId, songId }: { userId: string; songId: string },
  { now, until }: { now: number; until: number },
) {
  return db
    .update(users)
    .set({ playlistLeaseUntil: until })
    .where(
      and(
        eq(users.id, userId),
        lt(users.playlistLeaseUntil, now),
        sql`EXISTS (SELECT 1 FROM ratings WHERE rater_id = ${userId} AND song_id = ${songId})`,
      ),
    )
    .returning({ id: users.id });
}

/** With `to`, the lease ends then. */
export function releaseLease(db: Database, userId: string, until: number, to = 0) {
  return db
    .update(users)
    .set({ playlistLeaseUntil: to })
    .where(and(eq(users.id, userId), eq(users.playlistLeaseUntil, until)));
}

export function forgetPlaylist(db: Database, userId: string, playlistId: string) {
  return db
    .delete(playlistAdds)
    .where(and(eq(playlistAdds.userId, userId), eq(playlistAdds.playlistId, playlistId)));
}

/**
 * Records that a song is in a playlist of its rater's: which one, for the rater; and without a time, on a
 * rating "Added to my playlist!" of the last day, for the song's owner.
 */
export function rememberAdd(
  db: Database,
  add: { userId: string; songId: string; playlistId: string; playlistName: string; now: number },
) {
  const { now, ...row } = add;
  return {
    add: insertSelect(db, playlistAdds, {
      row: { ...row, addedAt: now },
      from: sql`FROM ratings WHERE rater_id = ${add.userId} AND song_id = ${add.songId}`,
    }).onConflictDoUpdate({
      target: [playlistAdds.userId, playlistAdds.songId, playlistAdds.playlistId],
      set: { addedAt: sql`excluded.added_at`, playlistName: sql`excluded.playlist_name` },
    }),
    oldest: db.delete(playlistAdds).where(
      sql`rowid IN (SELECT rowid FROM playlist_adds WHERE user_id = ${add.userId}
          ORDER BY added_at DESC, rowid DESC LIMIT -1 OFFSET ${newestKept.playlistAdds})`,
    ),
    rating: db
      .update(ratings)
      .set({ inPlaylist: true })
      .where(
        and(
          eq(ratings.raterId, add.userId),
          eq(ratings.songId, add.songId),
          eq(ratings.score, playlistScore),
          gt(ratings.createdAt, now - playlistWindowMs),
        ),
      ),
  };
}
