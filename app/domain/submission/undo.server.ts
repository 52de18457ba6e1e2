import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { gated, runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { columnToTheMinute } from "~/db/minute";
import { dayMs, ratingsPerSubmission } from "~/db/rules";
import {
  activityLog,
  listens,
  outbox,
  playRefusals,
  poolWindows,
  songs,
  submissions,
  users,
} from "~/db/schema";
import { type Refusal, refuse } from "~/domain/refusal";
import { refusalsBeforeRest } from "~/domain/rotation/rest.server";
import type { Viewer } from "~/domain/session/viewer.server";
import { logEvent } from "~/platform/log";
import { maxUndos, undoMs } from "./limits";
import { undoObstacle, undoTexts } from "./undo";

/** The condition that the owner made another submission after this one, or at the same moment. */
const isSuperseded = sql`EXISTS (SELECT 1 FROM submissions AS later
  WHERE later.owner_id = submissions.owner_id AND later.created_at >= submissions.created_at
    AND later.id <> submissions.id)`;

/**
 * The condition that somebody has rated the song since. A rating that was on its way while the song was
 * submitted again has an earlier time than the submission, and shows in the promise alone. Listeners do not
 * count: owners would see when somebody begins to listen (rule 28).
 */
const isRated = sql`(EXISTS (SELECT 1 FROM ratings WHERE ratings.song_id = submissions.song_id
    AND ratings.created_at >= submissions.created_at)
  OR EXISTS (SELECT 1 FROM songs AS its
    WHERE its.id = submissions.song_id AND its.owed < submissions.allotment))`;

/** The condition that the mail about it, if it owes one, has been assigned to a delivery. */
const isTold = sql`EXISTS (SELECT 1 FROM outbox
  WHERE dedupe_key = 'submission:' || submissions.id AND mail_id IS NOT NULL)`;

/** The condition that its owner took back the most that they can within the day before it. */
const isUsedUp = sql`(SELECT count(*) FROM activity_log AS undone
  WHERE undone.user_id = submissions.owner_id AND undone.kind = 'undo'
    AND undone.created_at > submissions.created_at - ${sql.raw(String(dayMs))}) >= ${sql.raw(String(maxUndos))}`;

/** The condition that the operator has taken the song out, which nobody else can undo (rule 39). */
const isTakenOut = sql`EXISTS (SELECT 1 FROM songs AS its
  WHERE its.id = submissions.song_id AND its.taken_out IS NOT NULL)`;

/** The columns of a submission that make its UndoStanding. */
export const undoColumns = {
  createdAt: submissions.createdAt,
  isLatest: sql`NOT ${isSuperseded}`.mapWith(Boolean).as("is_latest"),
  isRated: isRated.mapWith(Boolean).as("is_rated"),
  isTold: isTold.mapWith(Boolean).as("is_told"),
  isUsedUp: isUsedUp.mapWith(Boolean).as("is_used_up"),
  isTakenOut: isTakenOut.mapWith(Boolean).as("is_taken_out"),
};

/** The statement that reads the UndoStanding of a submission of the viewer's. */
export function selectUndo(db: Database, viewerId: string | SQL<string>, submissionId: string) {
  return db
    .select({ ...undoColumns, submissionId: submissions.id, title: songs.title })
    .from(submissions)
    .innerJoin(songs, eq(songs.id, submissions.songId))
    .where(and(eq(submissions.id, submissionId), eq(submissions.ownerId, viewerId)));
}

/**
 * Takes a submission of the viewer's back, whole: its price is returned, its promise withdrawn, its mail not
 * sent, and a song that was submitted for the first time deleted, from open packages too. Listens of the
 * song since then are deleted as well, unless an older promise still asks for ratings. A song that had
 * rested rests again. The visit counter and the slide stay where the submission has moved them, and the log
 * line stays: it keeps the same form from submitting the song once more. A second request changes nothing
 * and succeeds as well.
 */
export async function undoSubmission(
  { db, now }: { db: Database; now(): number },
  { userId }: Viewer,
  submissionId: string,
): Promise<{ ok: true } | Refusal> {
  const at = now();
  const {
    standing: [standing],
    earlier,
    undo,
  } = await runBatch(db, {
    standing: selectUndo(db, userId, submissionId),
    earlier: selectUndone(db, userId, submissionId),
    undo: writeUndo(db, userId, { submissionId, now: at }),
  });
  if (undo.gate.length > 0) logEvent("song_taken_back");
  if (undo.gate.length > 0 || earlier.length > 0) return { ok: true };
  if (!standing) return refuse(404, undoTexts.none);
  return refuse(409, undoObstacle(standing, at) ?? undoTexts.late);
}

/** The statement that finds the log line of a submission of the user's that was taken back. */
export function selectUndone(db: Database, userId: string, submissionId: string) {
  const isUndo = and(
    eq(activityLog.id, submissionId),
    eq(activityLog.kind, "undo"),
    eq(activityLog.userId, userId),
  );
  return db.select({ id: activityLog.id }).from(activityLog).where(isUndo);
}

/** Time in which a page says that a submission was taken back, in milliseconds. */
const undoneNoticeMs = 60_000;

/** The statement that finds a submission that a user has just taken back, with none made since. */
export function selectJustUndone(
  db: Database,
  userId: SQL<string>,
  { submissionId, now }: { submissionId: string; now: number },
) {
  return db
    .select({ id: activityLog.id })
    .from(activityLog)
    .where(
      sql`id = ${submissionId} AND kind = 'undo' AND user_id = ${userId}
        AND created_at > ${now - undoneNoticeMs} AND NOT EXISTS (SELECT 1 FROM submissions
          WHERE submissions.owner_id = activity_log.user_id
            AND submissions.created_at > activity_log.created_at)`,
    );
}

/**
 * The statements that take a submission back. The gate is the log line, which has the submission's id. Its
 * effects write only while both are there, which is in this batch alone.
 */
function writeUndo(
  db: Database,
  userId: string,
  { submissionId, now }: { submissionId: string; now: number },
) {
  const isOwn = and(eq(submissions.id, submissionId), eq(submissions.ownerId, userId));
  const isWritten = sql`EXISTS (SELECT 1 FROM activity_log JOIN submissions USING (id)
    WHERE id = ${submissionId} AND kind = 'undo')`;
  const its = (column: SQL) => sql`(SELECT ${column} FROM submissions WHERE id = ${submissionId})`;
  const isNewSong = sql`${its(sql`number`)} = 1`;
  const isItsSong = sql`${songs.id} = ${its(sql`song_id`)}`;
  const [rested, wasWithdrawn] = [its(sql`rested_since`), its(sql`was_withdrawn`)];
  const five = sql.raw(String(ratingsPerSubmission));
  const gate = insertSelect(db, activityLog, {
    row: {
      id: submissionId,
      kind: "undo",
      userId,
      songId: sql`submissions.song_id`,
      createdAt: now,
    },
    from: sql`FROM submissions WHERE ${isOwn} AND submissions.created_at > ${now - undoMs}
        AND NOT ${isSuperseded} AND NOT ${isRated} AND NOT ${isTold} AND NOT ${isUsedUp}
        AND NOT ${isTakenOut}`,
  }).returning({ id: activityLog.id });
  return gated(gate, isWritten, (isTaken) => ({
    user: db
      .update(users)
      .set({
        credits: sql`credits + ${its(sql`spent`)}`,
        submittedCount: sql`submitted_count - 1`,
        // The main artist of the deleted song stays only if another song of the owner's has it too.
        ownArtists: sql`coalesce((SELECT json_patch(own_artists, json_object(artist_ids ->> 0, NULL))
          FROM songs WHERE ${isItsSong} AND ${isNewSong} AND artist_ids ->> 0 IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM songs AS other WHERE other.owner_id = songs.owner_id
              AND other.id <> songs.id AND other.artist_ids ->> 0 = songs.artist_ids ->> 0)),
          own_artists)`,
      })
      .where(and(eq(users.id, userId), isTaken)),
    mail: db.delete(outbox).where(and(eq(outbox.dedupeKey, `submission:${submissionId}`), isTaken)),
    // While it was the viewer's own, the walk may have passed the same track of other owners.
    window: db.delete(poolWindows).where(and(eq(poolWindows.userId, userId), isNewSong, isTaken)),
    // Where the song is owed nothing any more, they would become ratings that nobody has paid for.
    listens: db.delete(listens).where(
      sql`song_id = ${its(sql`song_id`)} AND started_at >= ${its(sql`created_at`)} AND ${isTaken}
          AND (SELECT owed FROM songs WHERE songs.id = song_id) <= ${five}`,
    ),
    // The latest song of its owner (`isSuperseded`), so that none moves up in its place.
    newSong: db.delete(songs).where(and(isItsSong, isNewSong, isTaken)),
    song: db
      .update(songs)
      .set({
        entitled: sql`entitled - ${five}`,
        owed: sql`owed - ${five}`,
        owedSince: sql`CASE WHEN owed > ${five} THEN owed_since END`,
        restingSince: sql`CASE WHEN owed > ${five} THEN coalesce(${rested}, resting_since) END`,
        withdrawn: sql`owed > ${five} AND iif(${rested} IS NULL, withdrawn, ${wasWithdrawn})`,
        activeAt: columnToTheMinute(sql`max(
          (SELECT max(created_at) FROM submissions WHERE song_id = songs.id AND id <> ${submissionId}),
          coalesce((SELECT max(created_at) FROM ratings WHERE song_id = songs.id), 0))`),
      })
      .where(and(isItsSong, isTaken)),
    // What the submission has answered counts again; of a song that did not rest only while it need not.
    refusals: db
      .update(playRefusals)
      .set({ answeredAt: null })
      .where(
        sql`song_id = ${its(sql`song_id`)} AND answered_at = ${its(sql`created_at`)} AND ${isTaken}
          AND (${rested} IS NOT NULL AND NOT ${wasWithdrawn} OR (
            SELECT count(*) FROM play_refusals AS its WHERE its.song_id = play_refusals.song_id
              AND coalesce(its.answered_at, play_refusals.answered_at) = play_refusals.answered_at
          ) < ${refusalsBeforeRest})`,
      ),
    submission: db.delete(submissions).where(and(isOwn, isTaken)),
  }));
}
