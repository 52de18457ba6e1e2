import { and, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { dayMs } from "~/db/rules";
import {
  activityLog,
  billingEvents,
  confirmationCounts,
  departures,
  emailConfirmations,
  listens,
  outbox,
  playlistAdds,
  playRefusals,
  poolWindows,
  ratings,
  reports,
  sessions,
  songWishes,
} from "~/db/schema";
import { retentionDays } from "./periods";

/** Rows of a table per batch, so that nobody waits long behind one, and batches per run. */
const batchSize = 500;
const batchesPerRun = 10;

const kinds = [
  "sessions",
  "listens",
  "log",
  "mails",
  "confirmations",
  "billingEvents",
  "windows",
  "departures",
  "refusals",
  "songWishes",
  "reports",
  "playlistAdds",
] as const;

/** How many rows of each kind were deleted. */
export type PurgedRows = Record<(typeof kinds)[number], number>;

/**
 * Deletes rows whose retention period is over, and sessions that have ended. Nothing depends on these
 * rows any more: a rating stands without its listen, and a sent mail is not sent again. One round trip
 * per batch.
 */
export async function purgeExpired(db: Database, now: number): Promise<PurgedRows> {
  const total = await purgeBatch(db, now);
  let last = total;
  for (let batch = 1; batch < batchesPerRun && isMoreLeft(last); batch += 1) {
    last = await purgeBatch(db, now);
    for (const kind of kinds) total[kind] += last[kind];
  }
  return total;
}

function isMoreLeft(purged: PurgedRows): boolean {
  return kinds.some((kind) => purged[kind] >= batchSize);
}

async function purgeBatch(db: Database, now: number): Promise<PurgedRows> {
  const before = (days: number) => now - days * dayMs;
  // A mail about several ratings is deleted with all its rows at once.
  const oldMails = sql`SELECT id FROM outbox
    WHERE state <> 'pending' AND created_at < ${before(retentionDays.mails)} AND mail_id = id
    ORDER BY created_at LIMIT ${batchSize}`;
  const oldListens = db
    .select({ id: listens.id })
    .from(listens)
    .where(lt(listens.startedAt, before(retentionDays.listens)))
    .orderBy(listens.startedAt)
    .limit(batchSize);
  const ended = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lt(sessions.expiresAt, now))
    .limit(batchSize);
  const oldLines = db
    .select({ id: activityLog.id })
    .from(activityLog)
    .where(lt(activityLog.createdAt, before(retentionDays.log)))
    .orderBy(activityLog.createdAt)
    .limit(batchSize);
  const unwalked = db
    .select({ userId: poolWindows.userId })
    .from(poolWindows)
    .where(
      and(
        lt(poolWindows.updatedAt, before(retentionDays.windows)),
        // Songs are looked for every day for those who wait for some.
        sql`NOT EXISTS (SELECT 1 FROM song_wishes WHERE user_id = ${poolWindows.userId})`,
      ),
    )
    .orderBy(poolWindows.updatedAt)
    .limit(batchSize);
  const oldDepartures = db
    .select({ id: departures.id })
    .from(departures)
    .where(lte(departures.leftAt, before(retentionDays.departures)))
    .orderBy(departures.leftAt)
    .limit(batchSize);
  const oldRefusals = sql`SELECT rowid FROM play_refusals
    WHERE created_at < ${before(retentionDays.refusals)} ORDER BY created_at LIMIT ${batchSize}`;
  const oldWishes = db
    .select({ id: songWishes.id })
    .from(songWishes)
    .where(lt(songWishes.askedAt, before(retentionDays.songWishes)))
    .orderBy(songWishes.askedAt)
    .limit(batchSize);
  const oldReports = db
    .select({ id: reports.id })
    .from(reports)
    .where(lt(reports.createdAt, before(retentionDays.reports)))
    .orderBy(reports.createdAt)
    .limit(batchSize);
  const oldAdds = sql`SELECT rowid FROM playlist_adds
    WHERE added_at < ${before(retentionDays.playlistAdds)} ORDER BY added_at LIMIT ${batchSize}`;
  const deleted = await runBatch(db, {
    sessions: db.delete(sessions).where(inArray(sessions.id, ended)).returning({ id: sessions.id }),
    listens: db
      .delete(listens)
      .where(inArray(listens.id, oldListens))
      .returning({ id: listens.id }),
    log: db.delete(activityLog).where(inArray(activityLog.id, oldLines)).returning({
      id: activityLog.id,
    }),
    ratings: db
      .update(ratings)
      .set({ owesMail: false })
      .where(
        sql`id IN (SELECT subject_id FROM outbox WHERE kind = 'rating' AND mail_id IN (${oldMails}))`,
      ),
    mails: db.delete(outbox).where(sql`mail_id IN (${oldMails})`).returning({ id: outbox.id }),
    confirmations: db
      .delete(emailConfirmations)
      .where(
        and(
          isNull(emailConfirmations.usedAt),
          lt(emailConfirmations.createdAt, before(retentionDays.confirmations)),
        ),
      )
      .returning({ id: emailConfirmations.id }),
    confirmationCounts: db
      .delete(confirmationCounts)
      .where(lt(confirmationCounts.createdAt, before(retentionDays.confirmations))),
    billingEvents: db
      .delete(billingEvents)
      .where(lt(billingEvents.createdAt, before(retentionDays.billingEvents)))
      .returning({ id: billingEvents.id }),
    // What their walks have passed can be rated again.
    leaversWindows: db
      .delete(poolWindows)
      .where(sql`user_id IN (SELECT user_id FROM departures WHERE id IN ${oldDepartures})`),
    windows: db
      .delete(poolWindows)
      .where(inArray(poolWindows.userId, unwalked))
      .returning({ userId: poolWindows.userId }),
    departures: db
      .delete(departures)
      .where(inArray(departures.id, oldDepartures))
      .returning({ id: departures.id }),
    refusals: db
      .delete(playRefusals)
      .where(sql`rowid IN (${oldRefusals})`)
      .returning({ userId: playRefusals.userId }),
    songWishes: db
      .delete(songWishes)
      .where(inArray(songWishes.id, oldWishes))
      .returning({ id: songWishes.id }),
    reports: db
      .delete(reports)
      .where(inArray(reports.id, oldReports))
      .returning({ id: reports.id }),
    playlistAdds: db
      .delete(playlistAdds)
      .where(sql`rowid IN (${oldAdds})`)
      .returning({ userId: playlistAdds.userId }),
  });
  return {
    sessions: deleted.sessions.length,
    listens: deleted.listens.length,
    log: deleted.log.length,
    mails: deleted.mails.length,
    confirmations: deleted.confirmations.length,
    billingEvents: deleted.billingEvents.length,
    windows: deleted.windows.length,
    departures: deleted.departures.length,
    refusals: deleted.refusals.length,
    songWishes: deleted.songWishes.length,
    reports: deleted.reports.length,
    playlistAdds: deleted.playlistAdds.length,
  };
}
