import { and, asc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { packageSongs, packages, ratings, songs } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";

/** The statement that reads the viewer's package in the order drawn, with what the viewer rated. */
export function selectPackage(db: Database, viewerId: string | SQL<string>) {
  return db
    .select({
      number: packages.number,
      drawnAt: packages.drawnAt,
      songId: sql<string>`${songs.id}`.as("song_id"),
      owedSince: songs.owedSince,
      rated: ratings.score,
      favoritedAt: packageSongs.favoritedAt,
      ...trackColumns,
    })
    .from(packages)
    .innerJoin(packageSongs, eq(packageSongs.packageId, packages.id))
    .innerJoin(songs, eq(songs.id, packageSongs.songId))
    .leftJoin(ratings, and(eq(ratings.raterId, viewerId), eq(ratings.songId, songs.id)))
    .where(eq(packages.userId, viewerId))
    .orderBy(asc(packageSongs.position));
}

export type PackageRow = Awaited<ReturnType<typeof selectPackage>>[number];

/**
 * The statements that put a new package in the place of the last. Of two draws at once the second
 * meets the first one's number and changes nothing, and so does one that knew of older packages alone;
 * the last statement reads which one stands.
 * @param lastNumber the number of the package it follows, 0 for none.
 */
export function replacePackage(
  db: Database,
  userId: string,
  lastNumber: number,
  drawn: { songId: string }[],
  now: number,
) {
  const id = crypto.randomUUID();
  const number = lastNumber + 1;
  const values = drawn.map(({ songId }, position) => sql`(${songId}, ${position})`);
  return [
    db
      .insert(packages)
      .select(
        sql`SELECT ${id}, ${userId}, ${number}, ${now}
            WHERE NOT EXISTS (SELECT 1 FROM packages
                              WHERE user_id = ${userId} AND number >= ${number})`,
      )
      .onConflictDoNothing(),
    // Columns in the order of the table.
    db.insert(packageSongs).select(
      sql`SELECT ${id}, column1, column2, NULL FROM (VALUES ${sql.join(values, sql`, `)})
          WHERE EXISTS (SELECT 1 FROM packages WHERE id = ${id})`,
    ),
    db.delete(packages).where(and(eq(packages.userId, userId), lt(packages.number, number))),
    selectPackage(db, userId),
  ] as const;
}
