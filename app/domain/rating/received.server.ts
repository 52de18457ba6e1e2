import { asc, desc, eq, lte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { ratings, songs } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";
import type { EmailPreferences } from "~/domain/contact/email-preferences";
import {
  selectEmailPreferences,
  toEmailPreferences,
} from "~/domain/contact/email-preferences.server";
import { fingerprintOf, selectSuppressed } from "~/domain/contact/suppression.server";
import { touchIfDue, type Viewer } from "~/domain/session/viewer.server";
import type { TierConfig } from "~/domain/tiers/tiers";
import type { SongRatingsPanel } from "./received";
import { isScore } from "./scale";

/** The statement that reads a user's own songs, latest first. */
function selectOwnSongs(db: Database, ownerId: string) {
  return db
    .select({
      songId: songs.id,
      entitled: songs.entitled,
      received: songs.received,
      owedAtRest: sql<number | null>`iif(${songs.restingSince} IS NULL, NULL, ${songs.owed})`.as(
        "owed_at_rest",
      ),
      ...trackColumns,
    })
    .from(songs)
    .where(eq(songs.ownerId, ownerId))
    .orderBy(desc(songs.createdAt), desc(songs.id));
}

/**
 * The statement that reads the ratings of a user's songs that the tier shows, newest first. Hidden
 * ratings never leave the database (design section 4, "Ratings page").
 */
export function selectVisibleRatings(db: Database, ownerId: string, config: TierConfig) {
  const shown = config.maxVisibleRatings < 0 ? Number.MAX_SAFE_INTEGER : config.maxVisibleRatings;
  const ranked = db
    .select({
      songId: ratings.songId,
      score: ratings.score,
      // To the minute, which is as much as anybody reads.
      ratedAt: sql<number>`${ratings.createdAt} / 60000 * 60000`.as("rated_at"),
      place: sql<number>`row_number() OVER (
        PARTITION BY ${ratings.songId} ORDER BY ${ratings.createdAt} DESC, ${ratings.id})`.as(
        "place",
      ),
    })
    .from(songs)
    .innerJoin(ratings, eq(ratings.songId, songs.id))
    .where(eq(songs.ownerId, ownerId))
    .as("ranked");
  return db.select().from(ranked).where(lte(ranked.place, shown)).orderBy(asc(ranked.place));
}

/** What "Ratings of my songs" shows. */
export interface ReceivedRatings {
  panels: SongRatingsPanel[];
  mail: EmailPreferences;
}

/**
 * What "Ratings of my songs" shows, in one round trip, which also records the session's activity.
 * @param options `secret` keys the address's fingerprint; `now` is in epoch milliseconds; `isActivity`
 *   is false for a page that reads its own data again.
 */
export async function ratingsOfOwnSongs(
  db: Database,
  { userId, address, limits, session }: Viewer,
  { secret, now, isActivity }: { secret: string; now: number; isActivity: boolean },
): Promise<ReceivedRatings> {
  const touch = touchIfDue(db, session, { now, isActivity });
  const reads = [
    selectOwnSongs(db, userId),
    selectVisibleRatings(db, userId, limits),
    selectEmailPreferences(db, userId),
    selectSuppressed(db, await fingerprintOf(secret, address)),
  ] as const;
  const [own, visible, mail, suppressed] = await db.batch(touch ? [...reads, touch] : reads);
  const linesOf = Map.groupBy(visible, ({ songId }) => songId);
  const panels = own.map((song) => {
    const shown = (linesOf.get(song.songId) ?? []).flatMap(({ score, ratedAt }) =>
      isScore(score) ? [{ score, ratedAt }] : [],
    );
    return { ...song, visible: shown, hidden: song.received - shown.length };
  });
  return { panels, mail: toEmailPreferences(mail, suppressed) };
}
