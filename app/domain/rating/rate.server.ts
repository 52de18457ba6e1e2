import { and, eq, sql } from "drizzle-orm";
import type { Spotify } from "~/adapters/spotify/spotify";
import type { Database } from "~/db/client.server";
import { activityLog, listens, outbox, ratings, songs, users } from "~/db/schema";
import { listenErrors, readSong, verifyListen } from "~/domain/listening/listening.server";
import { finishedListenOf, finishListen } from "~/domain/listening/listens.server";
import { isRefusal, type Refusal, refuse } from "~/domain/refusal";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import type { Score } from "./scale";

/** A rating that was written, and the mail it owes, if any. */
export interface Rated {
  outboxId: string | null;
}

/**
 * Rates a song (spec section 4, "Rating a song", 5). Confirms the listen too if that has not
 * happened. Rating, counters, credit, log and outbox are one batch: all of it happens or none, and
 * of any number of requests at once exactly one.
 * @param mailWaitMs how long the mail waits for more ratings to tell of.
 */
export async function rateSong(
  db: Database,
  viewer: Viewer,
  songId: string,
  score: Score,
  spotify: Spotify,
  clock: () => number,
  mailWaitMs: number,
): Promise<Rated | Refusal> {
  const song = await readSong(db, viewer.userId, songId);
  if (!song) return refuse(404, listenErrors.noSong);
  if (song.ownerId === viewer.userId) return refuse(403, listenErrors.ownSong);
  if (song.ratingId) return refuse(409, listenErrors.alreadyRated);
  const heard = await verifyListen(db, song, spotify, clock);
  if (isRefusal(heard)) return heard;

  const id = crypto.randomUUID();
  const outboxId = crypto.randomUUID();
  const rating = { id, outboxId, raterId: viewer.userId, songId, score, mailWaitMs };
  const write = writeRating(db, rating, clock());
  const [inserted, , , , , mails] = heard.listenId
    ? await finishFirst(db, finishListen(db, heard.listenId, heard.evidence, heard.at), write)
    : await db.batch(write);
  // A second click or a second tab was quicker.
  if (inserted.length === 0) return refuse(409, listenErrors.notCounted);
  if (heard.listenId) logEvent("listen_confirmed", { kind: heard.evidence });
  logEvent("rating_given");
  return { outboxId: mails.length > 0 ? outboxId : null };
}

async function finishFirst(
  db: Database,
  finish: ReturnType<typeof finishListen>,
  write: ReturnType<typeof writeRating>,
) {
  const [, ...results] = await db.batch([finish, ...write]);
  return results;
}

interface NewRating {
  id: string;
  outboxId: string;
  raterId: string;
  songId: string;
  score: Score;
  mailWaitMs: number;
}

/**
 * The statements that write a rating. Only the first looks at the rules; each of the others does
 * its part only where the first has written the rating.
 */
function writeRating(db: Database, rating: NewRating, now: number) {
  const { id, outboxId, raterId, songId, score, mailWaitMs } = rating;
  const written = sql`EXISTS (SELECT 1 FROM ratings WHERE id = ${id})`;
  // Each SELECT names its columns in the order of the table.
  return [
    db
      .insert(ratings)
      .select(
        sql`SELECT ${id}, songs.id, songs.owner_id, ${raterId}, listens.id, ${score},
              coalesce((SELECT receive_rating_emails FROM email_preferences
                        WHERE user_id = songs.owner_id), 1),
              ${now}
            FROM songs JOIN listens ON listens.id = ${finishedListenOf(raterId, songId)}
            WHERE songs.id = ${songId} AND songs.owner_id <> ${raterId}`,
      )
      .onConflictDoNothing()
      .returning({ id: ratings.id }),
    db
      .update(songs)
      .set({
        received: sql`received + 1`,
        owed: sql`max(0, owed - 1)`,
        // The oldest promise not kept after this one: of 15 entitled, with 10 owed, the second.
        owedSince: sql`CASE WHEN owed > 1 THEN
          (SELECT created_at FROM submissions
           WHERE song_id = ${songId} AND number = (songs.entitled - (songs.owed - 1)) / 5 + 1) END`,
      })
      .where(and(eq(songs.id, songId), written)),
    db
      .update(users)
      .set({ credits: sql`credits + 1`, ratedCount: sql`rated_count + 1` })
      .where(and(eq(users.id, raterId), written)),
    db
      .update(listens)
      .set({ closedAt: now })
      .where(
        sql`id = (SELECT listen_id FROM ratings WHERE id = ${id}) AND ${listens.closedAt} IS NULL`,
      ),
    db.insert(activityLog).select(
      sql`SELECT ${crypto.randomUUID()}, 'rating', ${raterId}, ${songId}, ${score}, ${now}
            WHERE ${written}`,
    ),
    db
      .insert(outbox)
      .select(
        sql`SELECT ${outboxId}, owner_id, 'rating', id, 'rating:' || id, 'pending',
              NULL, NULL, NULL, NULL, NULL, ${now}, NULL, ${now + mailWaitMs}, 0, NULL, NULL
            FROM ratings WHERE id = ${id} AND owes_mail = 1`,
      )
      .returning({ id: outbox.id }),
  ] as const;
}
