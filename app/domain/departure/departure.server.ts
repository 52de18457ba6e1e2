import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { dayMs } from "~/db/rules";
import { departures, packages, subscriptions, users } from "~/db/schema";
import { retentionDays } from "~/domain/retention/periods";
import { accountFingerprint, openPast, sealPast } from "./fingerprint.server";
import { type PassedSong, pastEnd, pastOf } from "./past";

/**
 * The most ratings whose songs a past names, newest first, so that its row cannot grow without end. A
 * song beyond them may be offered again. It cannot be rated again: its mark stands on its own.
 */
const maxRated = 2000;

/** What reading and writing a past takes. */
export interface DepartureServices {
  db: Database;
  /** Fingerprints and seals are made with a key derived from it. */
  secret: string;
  /** Epoch milliseconds. */
  now(): number;
}

/**
 * Everything that the deletion of an account has to know of it, with what is to be kept of it, in one
 * round trip; null without one.
 */
export async function readLeaving({ db, secret, now }: DepartureServices, userId: string) {
  const at = now();
  const since = at - retentionDays.ratingMarks * dayMs;
  const [row] = await db
    .select({
      spotifyId: users.spotifyId,
      ratedCount: users.ratedCount,
      passedCount: users.passedCount,
      customerId: subscriptions.customerId,
      packageId: sql<string | null>`${packages.id}`.as("package_id"),
      drawnAt: packages.drawnAt,
      sealed: departures.sealed,
      unrated: sql`(SELECT json_group_array(song_id) FROM package_songs
        WHERE package_id = packages.id AND NOT EXISTS (
          SELECT 1 FROM ratings
          WHERE rater_id = users.id AND ratings.song_id = package_songs.song_id))`
        .mapWith((value: string): string[] => JSON.parse(value))
        .as("unrated"),
      rated: sql`(SELECT json_group_array(json_object('songId', song_id, 'ratedAt', created_at))
        FROM (SELECT song_id, created_at FROM ratings
              WHERE rater_id = users.id AND created_at > ${since}
              ORDER BY created_at DESC LIMIT ${maxRated}))`
        .mapWith((value: string): { songId: string; ratedAt: number }[] => JSON.parse(value))
        .as("rated"),
      passed: sql`(SELECT json_group_array(json_object('songId', song_id, 'passedAt', created_at,
          'drawnAt', iif(package_id = packages.id, packages.drawn_at, NULL)))
        FROM passes WHERE user_id = users.id AND created_at > ${since})`
        .mapWith((value: string): PassedSong[] => JSON.parse(value))
        .as("passed"),
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .leftJoin(packages, eq(packages.userId, users.id))
    .leftJoin(departures, eq(departures.userId, users.id))
    .where(eq(users.id, userId));
  if (!row) return null;
  const { spotifyId, customerId, packageId, drawnAt, unrated, rated, passed } = row;
  const { ratedCount, passedCount } = row;
  const before = await openPast({ secret, now: at }, spotifyId, row.sealed);
  const drawn = drawnAt === null ? null : { songIds: unrated, drawnAt };
  const past = pastOf({ before, rated, drawn, passed }, at);
  const [fingerprint, sealed] = await Promise.all([
    accountFingerprint(secret, spotifyId),
    past && sealPast(secret, spotifyId, past),
  ]);
  const kept = past && sealed ? { sealed, endsAt: pastEnd(past) } : null;
  return { userId, ratedCount, passedCount, customerId, packageId, fingerprint, kept };
}

export type LeavingAccount = NonNullable<Awaited<ReturnType<typeof readLeaving>>>;

/** The condition that an account is still as it was read: no rating, pass, draw or customer came between. */
export function isStillSo(leaving: LeavingAccount): SQL {
  const { userId, ratedCount, passedCount, customerId, packageId } = leaving;
  return sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId}
      AND rated_count = ${ratedCount} AND passed_count = ${passedCount})
    AND (SELECT customer_id FROM subscriptions WHERE user_id = ${userId}) IS ${customerId}
    AND (SELECT id FROM packages WHERE user_id = ${userId}) IS ${packageId}`;
}

/** The statement that keeps an account's past, or deletes the one kept if nothing is left of it. */
export function keepPast(db: Database, { userId, fingerprint, kept }: LeavingAccount, only: SQL) {
  if (!kept) return db.delete(departures).where(and(eq(departures.id, fingerprint), only));
  return insertSelect(db, departures, {
    row: { id: fingerprint, ...kept },
    from: sql`FROM users WHERE id = ${userId} AND ${only}`,
  }).onConflictDoUpdate({
    target: departures.id,
    set: { sealed: sql`excluded.sealed`, endsAt: sql`excluded.ends_at` },
  });
}

/** The statement by which an account that is made, or logged in to, gets the past of its Spotify account. */
export function recogniseAccount(db: Database, fingerprint: string, userId: SQL<string>) {
  return db.update(departures).set({ userId }).where(eq(departures.id, fingerprint));
}
