import { and, eq, gt, sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { asBoolean } from "~/db/expressions";
import { gated, hasRow, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { toTheMinute } from "~/db/minute";
import { playlistScore, ratingsPerSubmission, scoreChangeWindowMs } from "~/db/rules";
import { listens, playlistAdds, ratings, songs, users } from "~/db/schema";
import { listenErrors } from "~/exchange/listening/errors";
import { type ListeningServices, verifyListen } from "~/exchange/listening/listening.server";
import { writeHeard } from "~/exchange/listening/listens.server";
import { readSong } from "~/exchange/listening/song-for-viewer.server";
import { isFullFrom, ratedFrom } from "~/exchange/pool/place";
import { answerRefusals } from "~/exchange/rotation/unplayable.server";
import { advanceRounds, roundOf } from "~/exchange/round/round.server";
import { isComplete, releaseHeld, wantsRatingMails } from "~/mailing/email-preferences.server";
import type { Viewer } from "~/members/viewer.server";
import { oweMail } from "~/outbox/owe-mail.server";
import { heldAt } from "~/outbox/retry";
import { logEvent } from "~/platform/log";
import { isRejection, type Rejection, reject } from "~/platform/rejection";
import { isClosedTo, isOwnRecording, sharesRound } from "~/sources/recording.server";
import { isOfOpenRound } from "./own-rating.server";
import type { Score } from "./scale";

const ownRecording =
  "You have submitted the same recording, so this rating was not counted. Only others can rate it.";

export interface RatingServices extends ListeningServices {
  mailWaitMs: number;
}

/**
 * Rates a song (rule 18, one rating), and confirms the listen if that has not happened yet. Of concurrent requests
 * exactly one gets through the gate. A second tab whose request reads after the first has written changes
 * the score, for a minute; one that reads before gets a 409. Refuses a recording that is closed to the
 * viewer.
 */
export async function rateSong(
  services: RatingServices,
  viewer: Viewer,
  asked: { songId: string; score: Score },
  isAgain = false,
): Promise<{ ok: true } | Rejection> {
  const { db } = services;
  const { songId, score } = asked;
  const song = await readSong(db, viewer.userId, songId);
  if (!song) return reject(404, listenErrors.noSong);
  if (song.ownerId === viewer.userId) return reject(403, listenErrors.ownSong);
  if (song.ratingId && isAgain) return reject(409, listenErrors.notCounted);
  if (song.ratingId) return changeScore(services, { raterId: viewer.userId, songId, score });
  if (song.passId) return reject(409, listenErrors.passed);
  const verified = await verifyListen(services, viewer, song);
  if (isRejection(verified)) return verified;
  const { roundId } = song;
  // In a round all may be in one place.
  const place = roundId === null ? services.place : null;

  const { refused, listen, rating } = await runBatch(db, {
    refused: db
      .select({
        isOwn: asBoolean(isOwnRecording(viewer.userId, sql`songs.recording`), "is_own"),
        isFull: asBoolean(isFullFrom(place), "is_full"),
        isOver: asBoolean(wasOfRound(viewer.userId), "is_over"),
      })
      .from(songs)
      .where(eq(songs.id, songId)),
    listen: verified.listenId ? writeHeard(db, verified) : null,
    rating: writeRating(
      { ...services, place },
      { raterId: viewer.userId, songId, ownerId: song.ownerId, score, roundId },
    ),
  });
  // A second click or a second tab was quicker, or the recording has been closed to the viewer since.
  if (rating.gate.length === 0) {
    // Or a spot check has come in between, after which the listen is read once more.
    if (listen?.gate.length === 0 && !isAgain) return rateSong(services, viewer, asked, true);
    const { isOwn = false, isFull = false, isOver = false } = refused[0] ?? {};
    if (isOver && roundId === null) return reject(409, listenErrors.roundOver);
    if (isOwn) return reject(403, ownRecording);
    return reject(409, isFull ? listenErrors.fullFromHere : listenErrors.notCounted);
  }
  if (verified.listenId) logEvent("listen_confirmed", { kind: verified.evidence });
  logEvent("rating_given");
  return { ok: true };
}

/** On rows of `songs`: somebody may have heard it for a round that is over, and the exchange does not ask for it. */
function wasOfRound(userId: string) {
  return sql`(songs.owed = 0 AND ${sharesRound(userId, sql`songs.id`)})`;
}

/** Changes the score of a rating of the last minute (rule 18, one rating), and nothing else. */
async function changeScore(
  { db, now }: DatabaseAndClock,
  { raterId, songId, score }: Omit<NewRating, "ownerId" | "roundId">,
): Promise<{ ok: true } | Rejection> {
  const isAdded = sql`in_playlist OR EXISTS (SELECT 1 FROM ${playlistAdds}
    WHERE user_id = ${raterId} AND song_id = ${songId})`;
  const isTheirs = and(eq(ratings.raterId, raterId), eq(ratings.songId, songId));
  const { changed } = await runBatch(db, {
    changed: db
      .update(ratings)
      .set({
        score,
        inPlaylist: score === playlistScore ? isAdded : false,
        // The wish itself ends by a trigger.
        wantsRelease: score === playlistScore ? sql`wants_release` : false,
      })
      .where(
        and(
          isTheirs,
          gt(ratings.createdAt, now() - scoreChangeWindowMs),
          // The same score again is no change.
          sql`(score = ${score} OR NOT ${isOfOpenRound})`,
        ),
      )
      .returning({ id: ratings.id }),
  });
  return changed.length > 0 ? { ok: true } : reject(409, listenErrors.alreadyRated);
}

interface NewRating {
  raterId: string;
  songId: string;
  ownerId: string;
  score: Score;
  roundId: string | null;
}

function writeRating(
  services: RatingServices,
  { raterId, songId, ownerId, score, roundId }: NewRating,
) {
  const { db, mailWaitMs, place } = services;
  const now = services.now();
  const id = crypto.randomUUID();
  const mailAt = now + mailWaitMs;
  const isForAll = sql`(ratings.sealed OR (SELECT rating_mail_rhythm FROM email_preferences
      WHERE user_id = ratings.owner_id) = 'complete')`;
  const mailDueAt = sql<number>`iif(${isForAll} AND NOT ${isComplete(sql`ratings.id`)}, ${heldAt}, ${mailAt})`;
  // The oldest promise still open after this rating: of 15 entitled with 10 owed, the second.
  const oldestOpen = sql`(SELECT created_at FROM submissions
    WHERE song_id = ${songId}
      AND number = (songs.entitled - (songs.owed - 1)) / ${sql.raw(String(ratingsPerSubmission))} + 1)`;
  const endsPromise = sql`(owed = 0 OR (entitled - owed + 1) % ${sql.raw(String(ratingsPerSubmission))} = 0)`;
  const gate = insertSelect(db, ratings, {
    row: {
      id,
      songId: sql`songs.id`,
      recording: sql`songs.recording`,
      ownerId: sql`songs.owner_id`,
      raterId,
      listenId: sql`listens.id`,
      score,
      roundId,
      owesMail: roundId === null ? wantsRatingMails(sql`songs.owner_id`) : sql`0`,
      sealed:
        roundId !== null
          ? true
          : sql`coalesce((SELECT sealed FROM submissions WHERE submissions.song_id = songs.id
        AND songs.owed > 0 AND number = (songs.entitled - songs.owed) / ${sql.raw(String(ratingsPerSubmission))} + 1), 0)`,
      createdAt: now,
    },
    from: sql`FROM songs JOIN listens ON listens.song_id = songs.id AND listens.user_id = ${raterId}
        WHERE songs.id = ${songId} AND finished_at IS NOT NULL AND NOT ${isClosedTo(raterId, sql`songs.recording`)}
          AND NOT ${isFullFrom(place)} AND ${roundOf(raterId, sql`songs.id`)} IS ${roundId}
          AND (${roundId} IS NOT NULL OR NOT ${wasOfRound(raterId)})
        ORDER BY started_at DESC LIMIT 1`,
  })
    .onConflictDoNothing()
    .returning({ id: ratings.id });
  return gated(gate, hasRow(ratings, id), (isRated) => ({
    // What is given in a round counts there alone.
    ...(roundId === null && {
      song: db
        .update(songs)
        .set({
          received: sql`received + 1`,
          owed: sql`max(0, owed - 1)`,
          owedSince: sql`CASE WHEN owed > 1 THEN ${oldestOpen} END`,
          restingSince: sql`CASE WHEN owed > 1 THEN resting_since END`,
          withdrawn: sql`owed > 1 AND withdrawn`,
          ratedFrom: ratedFrom(place, endsPromise),
          activeAt: sql`max(active_at, ${toTheMinute(now)})`,
          newsSince: sql`coalesce(news_since, ${toTheMinute(now)})`,
        })
        .where(and(eq(songs.id, songId), isRated)),
      rater: db
        .update(users)
        .set({ credits: sql`credits + 1`, ratedCount: sql`rated_count + 1` })
        .where(and(eq(users.id, raterId), isRated)),
    }),
    listen: db
      .update(listens)
      .set({ closedAt: now })
      .where(
        sql`id = (SELECT listen_id FROM ratings WHERE id = ${id}) AND ${listens.closedAt} IS NULL`,
      ),
    mail: oweMail(
      services,
      {
        id: crypto.randomUUID(),
        userId: sql`owner_id`,
        kind: "rating",
        subjectId: id,
        now,
        notBefore: mailDueAt,
      },
      sql`FROM ratings WHERE id = ${id} AND owes_mail = 1`,
    ),
    held: releaseHeld(db, { songId, ownerId, at: mailAt }),
    // Somebody has heard it: only reports in a row let a song rest (rule 12, rest).
    refusals: answerRefusals(db, { songId, now }, isRated),
    round: roundId === null ? null : advanceRounds(db, sql`rounds.id = ${roundId}`, now),
  }));
}
