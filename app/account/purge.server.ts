import { isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { retentionDays } from "~/db/periods";
import { dayMs } from "~/db/rules";
import {
  activityLog,
  billingEvents,
  confirmationCounts,
  dailyCounts,
  departures,
  emailConfirmations,
  listens,
  mailSuppressions,
  operatorLog,
  outbox,
  playlistAdds,
  poolWindows,
  ratings,
  reports,
  sessions,
  songWishes,
  unplayableReports,
} from "~/db/schema";
import { dayOf } from "~/platform/dates";

/** Rows of a table per batch, so that nobody waits long behind one, and batches per run. */
const batchSize = 500;
const batchesPerRun = 10;

/** A table whose rows are deleted some days after the time in `since`; with `only`, those alone. */
interface Expiring {
  table: SQLiteTable;
  since: SQLiteColumn;
  days: number;
  only?: SQL;
  /** `since` is a day (`dayOf`) and no moment. */
  byDay?: true;
}

/** The tables whose rows are deleted by themselves. */
const expiring = {
  sessions: { table: sessions, since: sessions.expiresAt, days: 0 },
  listens: { table: listens, since: listens.startedAt, days: retentionDays.listens },
  log: { table: activityLog, since: activityLog.createdAt, days: retentionDays.log },
  confirmations: {
    table: emailConfirmations,
    since: emailConfirmations.createdAt,
    days: retentionDays.confirmations,
    only: isNull(emailConfirmations.usedAt),
  },
  confirmationCounts: {
    table: confirmationCounts,
    since: confirmationCounts.createdAt,
    days: retentionDays.confirmations,
  },
  bounces: {
    table: mailSuppressions,
    since: mailSuppressions.bouncedAt,
    days: retentionDays.bounces,
    only: sql`bounced_at IS NOT NULL`,
  },
  billingEvents: {
    table: billingEvents,
    since: billingEvents.createdAt,
    days: retentionDays.billingEvents,
  },
  windows: {
    table: poolWindows,
    since: poolWindows.updatedAt,
    days: retentionDays.windows,
    // The job that looks for songs for those who wait uses their windows.
    only: sql`NOT EXISTS (SELECT 1 FROM song_wishes WHERE user_id = ${poolWindows.userId})`,
  },
  refusals: {
    table: unplayableReports,
    since: unplayableReports.createdAt,
    days: retentionDays.refusals,
  },
  songWishes: { table: songWishes, since: songWishes.askedAt, days: retentionDays.songWishes },
  operatorLog: {
    table: operatorLog,
    since: operatorLog.createdAt,
    days: retentionDays.operatorLog,
  },
  reports: { table: reports, since: reports.createdAt, days: retentionDays.reports },
  playlistAdds: {
    table: playlistAdds,
    since: playlistAdds.addedAt,
    days: retentionDays.playlistAdds,
  },
  dailyCounts: {
    table: dailyCounts,
    since: dailyCounts.day,
    days: retentionDays.dailyCounts,
    byDay: true,
  },
} satisfies Record<string, Expiring>;

/** Number of rows of each kind that were deleted. */
export type PurgedRows = Record<keyof typeof expiring | "mails" | "departures", number>;

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
    for (const kind of kindsOf(last)) total[kind] += last[kind];
  }
  return total;
}

function kindsOf(purged: PurgedRows) {
  return Object.keys(purged) as (keyof PurgedRows)[];
}

function isMoreLeft(purged: PurgedRows): boolean {
  return kindsOf(purged).some((kind) => purged[kind] >= batchSize);
}

async function purgeBatch(db: Database, now: number): Promise<PurgedRows> {
  const before = (days: number) => now - days * dayMs;
  const deleteExpired = ({ table, since, days, only = sql`true`, byDay }: Expiring) =>
    db
      .delete(table)
      .where(
        sql`rowid IN (SELECT rowid FROM ${table} WHERE ${since} < ${byDay ? dayOf(before(days)) : before(days)} AND ${only}
          ORDER BY ${since} LIMIT ${batchSize})`,
      )
      .returning({ since });
  // A mail about several ratings is deleted with all its rows at once.
  const oldMails = sql`SELECT id FROM outbox
    WHERE state <> 'pending' AND created_at < ${before(retentionDays.mails)} AND mail_id = id
    ORDER BY created_at LIMIT ${batchSize}`;
  const oldDepartures = sql`SELECT id FROM departures
    WHERE left_at <= ${before(retentionDays.departures)} ORDER BY left_at LIMIT ${batchSize}`;
  const { expired, mails, departed } = await runBatch(db, {
    expired: Object.fromEntries(
      Object.entries<Expiring>(expiring).map(([kind, rows]) => [kind, deleteExpired(rows)]),
    ),
    ratings: db
      .update(ratings)
      .set({ owesMail: false })
      .where(
        sql`id IN (SELECT subject_id FROM outbox WHERE kind = 'rating' AND mail_id IN (${oldMails}))`,
      ),
    mails: db.delete(outbox).where(sql`mail_id IN (${oldMails})`).returning({ id: outbox.id }),
    // The songs of the deleted marks can be rated again, and their windows have passed them.
    leaversWindows: db
      .delete(poolWindows)
      .where(sql`user_id IN (SELECT user_id FROM departures WHERE id IN (${oldDepartures}))`),
    departed: db
      .delete(departures)
      .where(sql`id IN (${oldDepartures})`)
      .returning({ id: departures.id }),
  });
  const deleted = { ...expired, mails, departures: departed };
  return Object.fromEntries(
    Object.entries(deleted).map(([kind, rows]) => [kind, rows.length]),
  ) as PurgedRows;
}
