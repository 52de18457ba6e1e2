import { and, asc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, hasRow } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { packageSongs, packages, ratings, songs } from "~/db/schema";
import { songColumns, songLoudness } from "~/db/song-columns";
import { isFullFrom, type Place } from "~/exchange/pool/place";
import { playlistWith } from "~/exchange/rating/own-rating.server";
import { isInCooldown } from "~/members/what-outlives.server";
import { finishedListenOf } from "~/sources/listens.server";
import { isClosedTo } from "~/sources/recording.server";

const offered = sql`${songs.owedSince} IS NOT NULL AND ${songs.restingSince} IS NULL`;

type AtPlace = Parameters<typeof isFullFrom>[0];

const closed = isClosedTo(sql`packages.user_id`, sql`songs.recording`);

const closedAt = (place: AtPlace) => sql`(${closed} OR ${isFullFrom(place)})`;

export function selectPackage(db: Database, viewerId: string | SQL<string>, place: AtPlace) {
  return db
    .select({
      number: packages.number,
      drawnAt: packages.drawnAt,
      songId: sql<string>`${songs.id}`.as("song_id"),
      offered: asBoolean(offered, "offered"),
      heard: asBoolean(sql`${finishedListenOf(viewerId, songs.id)} IS NOT NULL`, "heard"),
      closed: asBoolean(closedAt(place), "closed"),
      rated: ratings.score,
      favoritedAt: packageSongs.favoritedAt,
      playlist: playlistWith(viewerId, songs.id),
      loudness: songLoudness,
      ...songColumns,
    })
    .from(packages)
    .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
    .innerJoin(songs, eq(songs.id, packageSongs.songId))
    .leftJoin(ratings, and(eq(ratings.raterId, viewerId), eq(ratings.songId, songs.id)))
    .where(eq(packages.userId, viewerId))
    .orderBy(asc(packageSongs.position));
}

export function hasOpenPackage(
  viewerId: SQL<string>,
  { since, hears, place }: { since: SQL<number>; hears: SQL<boolean>; place: AtPlace },
): SQL {
  return sql`EXISTS (SELECT 1 FROM packages
      JOIN package_songs ON package_id = packages.id JOIN songs ON songs.id = song_id
      WHERE packages.user_id = ${viewerId} AND drawn_at > ${since} AND ${offered}
        AND (${hears} OR songs.track_id IS NULL) AND NOT ${closedAt(place)})`;
}

export type PackageRow = Awaited<ReturnType<typeof selectPackage>>[number];

/**
 * Replaces the last package unless the user is in the cooldown (rule 37, coming back), and reads the one that they then
 * have. Of two draws at once, only the first changes anything. For somebody who cannot hear Spotify's songs,
 * those of the last package go on into the next: another login may hear them, and nobody is to be rid of what
 * was drawn by logging in without Spotify.
 */
export function replacePackage(
  db: Database,
  {
    userId,
    lastNumber,
    drawn,
    drawnAt,
    hears,
    place,
  }: {
    userId: string;
    lastNumber: number;
    drawn: { songId: string }[];
    drawnAt: number;
    hears: boolean;
    place: Place | null;
  },
) {
  const id = crypto.randomUUID();
  const number = lastNumber + 1;
  const values = drawn.map(({ songId }, position) => sql`(${songId}, ${position})`);
  const gate = insertSelect(db, packages, {
    row: { id, userId, number, drawnAt },
    from: sql`WHERE NOT ${isInCooldown(userId, drawnAt)}
        AND NOT EXISTS (SELECT 1 FROM packages
                        WHERE user_id = ${userId} AND number >= ${number})`,
  }).onConflictDoNothing();
  return {
    // A package whose songs have all been deleted with their owners counts as none.
    empty: db
      .delete(packages)
      .where(
        and(
          eq(packages.userId, userId),
          sql`NOT EXISTS (SELECT 1 FROM package_songs WHERE package_id = ${packages.id})`,
        ),
      ),
    drawn: gated(gate, hasRow(packages, id), (isDrawn) => ({
      songs: insertSelect(db, packageSongs, {
        row: { packageId: id, songId: sql`column1`, position: sql`column2` },
        // A song may have been deleted since it was drawn.
        from: sql`FROM (VALUES ${sql.join(values, sql`, `)}) JOIN songs ON songs.id = column1
            WHERE ${isDrawn}`,
      }),
      unheard: hears
        ? null
        : insertSelect(db, packageSongs, {
            row: {
              packageId: id,
              songId: sql`songs.id`,
              position: sql`${drawn.length} + package_songs.position`,
              favoritedAt: sql`package_songs.favorited_at`,
            },
            from: sql`FROM packages JOIN package_songs ON package_songs.package_id = packages.id
              JOIN songs ON songs.id = package_songs.song_id
              WHERE packages.user_id = ${userId} AND packages.number = ${lastNumber}
                AND songs.track_id IS NOT NULL AND NOT ${closed} AND ${isDrawn}`,
          }),
      before: db
        .delete(packages)
        .where(and(eq(packages.userId, userId), lt(packages.number, number), isDrawn)),
    })),
    standing: selectPackage(db, userId, place),
  };
}
