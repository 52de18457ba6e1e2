import { eq, type SQL, sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { listOf } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { type operatorLog, reports, shares, songs, submissionLocks, users } from "~/db/schema";
import { maxOwedSongs } from "~/exchange/rotation/room";
import { owedSongs } from "~/exchange/rotation/room.server";
import { answerRefusals } from "~/exchange/rotation/unplayable.server";
import { accountFingerprints } from "~/members/what-outlives.server";
import { type OwedMailServices, oweMail } from "~/outbox/owe-mail.server";
import { type Rejection, reject } from "~/platform/rejection";
import { sharePath } from "~/results/share";
import { endFiles, hasFilesToEnd } from "~/sources/files/drafts.server";
import { noteDecision, type Operator, operate } from "./audit.server";
import { decisionErrors, type SongDecision } from "./decisions";
import { closeNotices } from "./notice.server";

interface DecisionServices extends DatabaseAndClock, OwedMailServices {
  /** Keys the fingerprints of ways in. */
  secret: string;
}

type Ground = (typeof operatorLog.$inferSelect)["ground"];

const isDecidable: Record<SongDecision, SQL> = {
  dismiss: sql`(EXISTS (SELECT 1 FROM reports WHERE song_id = songs.id AND closed_at IS NULL)
    OR sounds_generated_since IS NOT NULL
    OR EXISTS (SELECT 1 FROM notices WHERE song_id = songs.id AND notices.decided_at IS NULL)
    OR resting_since IS NOT NULL AND withdrawn = 0 AND taken_out IS NULL
      AND (songs.decided_at IS NULL OR songs.decided_at < resting_since))`,
  take_out: sql`taken_out IS NULL`,
  put_back: sql`(taken_out IS NOT NULL OR resting_since IS NOT NULL AND withdrawn = 0)`,
  delete_file: hasFilesToEnd,
};

/**
 * Decides about a song that was reported, does not play or sounds generated (rule 39, decisions). Of concurrent decisions by operators who
 * saw the same state, one counts. Closes the reports and notices that they saw, owes each an answer, and unlinks the
 * reporters. The owner is owed a mail if anything changes for the song. What is taken out is shared no more. `seenAt` is the time of the operator's page, `decidedAt` the
 * last decision that it showed.
 */
export async function decideOnSong(
  services: DecisionServices,
  operator: Operator,
  decision: {
    target: string;
    do: SongDecision;
    reason: string;
    ground: Ground;
    seenAt: number;
    decidedAt: number | null;
  },
): Promise<{ sharePaths: string[] } | Rejection> {
  const { db } = services;
  const now = services.now();
  const { target: songId, do: action, reason, ground, seenAt, decidedAt } = decision;
  const line = {
    ...{ id: crypto.randomUUID(), operator, action, target: songId, reason, ground, now },
    userId: sql<string>`owner_id`,
  };
  const isAsSeen = sql`FROM songs JOIN users ON users.id = owner_id
    WHERE songs.id = ${songId} AND owner_id <> ${operator.userId}
      AND decided_at IS ${decidedAt} AND ${isDecidable[action]}`;
  const wereSeen = sql`song_id = ${songId} AND created_at <= ${seenAt}`;
  const read = await runBatch(db, {
    ...operate(db, line, isAsSeen, (only) => ({
      notices: closeNotices(services, line, sql`${wereSeen} AND ${only}`),
      // Before they are closed, because then they do not say whose they are.
      answers: oweMail(
        services,
        {
          userId: sql`reporter_id`,
          kind: "report_decision",
          subjectId: line.id,
          dedupeKey: sql`'report_decision:' || reports.id`,
          now,
        },
        sql`FROM reports WHERE ${wereSeen} AND reporter_id IS NOT NULL AND ${only}`,
      ),
      reports: db
        .update(reports)
        .set({ closedAt: now, reporterId: null })
        .where(sql`${wereSeen} AND closed_at IS NULL AND ${only}`),
      shared:
        action === "take_out"
          ? db
              .delete(shares)
              .where(sql`song_id = ${songId} AND ${only}`)
              .returning({ token: shares.token })
          : null,
      song: db
        .update(songs)
        .set({
          // No two decisions share a time.
          decidedAt: sql`max(${now}, coalesce(decided_at, 0) + 1)`,
          soundsGeneratedSince: null,
          ...changeOf(action, { reason, now, lineId: line.id }),
        })
        .where(sql`id = ${songId} AND ${only}`),
      files: action === "delete_file" ? endFiles(db, { songId, now }, only) : null,
      refusals: action === "put_back" ? answerRefusals(db, { songId, now }, only) : null,
      mail: action === "dismiss" ? null : oweDecisionMail(services, line),
    })),
    song: db
      .select({ ownerId: songs.ownerId, decidedAt: songs.decidedAt })
      .from(songs)
      .where(eq(songs.id, songId)),
  });
  const refusal = noteDecision(read, action);
  const [song] = read.song;
  if (!song) return reject(404, decisionErrors.gone);
  if (song.ownerId === operator.userId) return reject(403, decisionErrors.own);
  if (!refusal) {
    const shared = read.done.effects.shared ?? [];
    return { sharePaths: shared.map(({ token }) => sharePath(token)) };
  }
  return song.decidedAt === decidedAt ? refusal : reject(409, decisionErrors.late);
}

function changeOf(
  action: SongDecision,
  { reason, now, lineId }: { reason: string; now: number; lineId: string },
) {
  if (action === "dismiss" || action === "delete_file") return {};
  if (action === "take_out") {
    return {
      takenOut: reason,
      restingSince: sql`CASE WHEN owed > 0 THEN coalesce(resting_since, ${now}) END`,
    };
  }
  // A song that its owner withdrew stays withdrawn, and so does one without a file, or for which there is no room.
  const owner = sql`(SELECT user_id FROM operator_log WHERE id = ${lineId})`;
  const hasNoFile = sql`EXISTS (SELECT 1 FROM recordings
    WHERE recordings.id = songs.own_recording_id AND file_ended_at IS NOT NULL)`;
  const stays = sql`(withdrawn = 1 OR ${hasNoFile} OR ${owedSongs(owner)} >= ${maxOwedSongs})`;
  return {
    takenOut: null,
    restingSince: sql`CASE WHEN ${stays} THEN resting_since END`,
    withdrawn: sql`resting_since IS NOT NULL AND ${stays}`,
  };
}

/** The lock is on each of the owner's ways in, and outlives the account here (rule 39, decisions). */
export async function lockOwner(
  services: DecisionServices,
  operator: Operator,
  { target: userId, reason, ground }: { target: string; reason: string; ground: Ground },
): Promise<Rejection | null> {
  const { db } = services;
  const now = services.now();
  const [user] = await db
    .select({ spotifyId: users.spotifyId, ownEmail: users.ownEmail })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return reject(404, decisionErrors.gone);
  if (userId === operator.userId) return reject(403, decisionErrors.own);
  const fingerprints = await accountFingerprints(services.secret, user);
  const line = {
    ...{ id: crypto.randomUUID(), operator, action: "lock" as const, target: userId },
    ...{ userId: sql<string>`id`, reason, ground, now },
  };
  const isUnlocked = sql`FROM users WHERE id = ${userId}
    AND NOT EXISTS (SELECT 1 FROM submission_locks WHERE submission_locks.user_id = users.id)`;
  const read = await runBatch(
    db,
    operate(db, line, isUnlocked, (only) => ({
      lock: insertSelect(db, submissionLocks, {
        row: { id: sql`value`, userId, reason, lockedAt: now },
        from: sql`FROM ${listOf(fingerprints)} WHERE ${only}`,
      }).onConflictDoUpdate({
        target: submissionLocks.id,
        set: { userId, reason, lockedAt: now },
      }),
      mail: oweDecisionMail(services, line),
    })),
  );
  return noteDecision(read, line.action);
}

/** Lifts a lock on all ways in, but never one of the operator's own (rule 39, decisions). */
export async function unlockOwner(
  services: DecisionServices,
  operator: Operator,
  { target: lockId, reason }: { target: string; reason: string },
): Promise<Rejection | null> {
  const { db } = services;
  const now = services.now();
  const ownWays = await accountFingerprints(services.secret, operator);
  // The rows of one lock, whoever has its ways in now, and those that its user has besides.
  const named = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM submission_locks WHERE id = ${lockId})`;
  const isLock = sql`((locked_at, reason) = ${named("locked_at, reason")}
    OR user_id = ${named("user_id")})`;
  // Under another secret the fingerprints are others, and only the user tells whose lock it is.
  const isOwn = sql`(user_id IS ${operator.userId} OR id IN ${listOf(ownWays)})`;
  const line = {
    ...{ id: crypto.randomUUID(), operator, action: "unlock" as const, target: lockId },
    userId: sql<string | null>`(SELECT max(user_id) FROM submission_locks WHERE ${isLock})`,
    ...{ reason, now },
  };
  const isOthers = sql`WHERE EXISTS (SELECT 1 FROM submission_locks WHERE id = ${lockId})
    AND NOT EXISTS (SELECT 1 FROM submission_locks WHERE ${isLock} AND ${isOwn})`;
  const read = await runBatch(db, {
    own: db
      .select({ id: submissionLocks.id })
      .from(submissionLocks)
      .where(sql`${isLock} AND ${isOwn}`),
    ...operate(db, line, isOthers, (only) => ({
      lock: db.delete(submissionLocks).where(sql`${isLock} AND ${only}`),
      mail: oweDecisionMail(services, line),
    })),
  });
  if (read.own.length > 0) return reject(403, decisionErrors.own);
  return noteDecision(read, line.action);
}

function oweDecisionMail(
  services: OwedMailServices,
  { id: lineId, now }: { id: string; now: number },
) {
  return oweMail(
    services,
    { userId: sql`user_id`, kind: "decision", subjectId: lineId, now },
    sql`FROM operator_log WHERE id = ${lineId} AND user_id IS NOT NULL`,
  );
}
