import { asc, desc, eq, lte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { ratings, songs } from "~/db/schema";
import { trackColumns } from "~/db/track-columns";
import { selectMailSettings } from "~/domain/contact/preferences.server";
import { toMailSettings } from "~/domain/contact/settings.server";
import type { touchSession } from "~/domain/session/viewer.server";
import type { TierConfig } from "~/domain/tiers/tiers";
import type { RatingLine, SongRatingsPanel } from "./received";
import { isScore } from "./scale";

/** The statement that reads a user's own songs, latest first. */
export function selectOwnSongs(db: Database, ownerId: string) {
  return db
    .select({
      songId: songs.id,
      entitled: songs.entitled,
      received: songs.received,
      ...trackColumns,
    })
    .from(songs)
    .where(eq(songs.ownerId, ownerId))
    .orderBy(desc(songs.createdAt), desc(songs.id));
}

/**
 * The statement that reads the ratings of a user's songs that the tier shows, newest first.
 * What is hidden is not read out of the database (design section 4, "Ratings page").
 */
export function selectVisibleRatings(db: Database, ownerId: string, config: TierConfig) {
  const shown = config.maxVisibleRatings < 0 ? Number.MAX_SAFE_INTEGER : config.maxVisibleRatings;
  const ranked = db
    .select({
      songId: ratings.songId,
      score: ratings.score,
      // To the minute: seconds would only help to find out who was at it just then.
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
  mail: ReturnType<typeof toMailSettings>;
}

/**
 * What "Ratings of my songs" shows, in one round trip.
 * @param touch a statement to run along with it, or null.
 */
export async function ratingsOfOwnSongs(
  db: Database,
  ownerId: string,
  config: TierConfig,
  touch: ReturnType<typeof touchSession>,
): Promise<ReceivedRatings> {
  const reads = [
    selectOwnSongs(db, ownerId),
    selectVisibleRatings(db, ownerId, config),
    selectMailSettings(db, ownerId),
  ] as const;
  const [own, visible, mail] = await db.batch(touch ? [...reads, touch] : reads);
  const lines = new Map<string, RatingLine[]>();
  for (const { songId, score, ratedAt } of visible) {
    if (!isScore(score)) continue;
    const list = lines.get(songId) ?? [];
    list.push({ score, ratedAt });
    lines.set(songId, list);
  }
  const panels = own.map((song) => {
    const shown = lines.get(song.songId) ?? [];
    return { ...song, visible: shown, hidden: song.received - shown.length };
  });
  return { panels, mail: toMailSettings(mail) };
}
