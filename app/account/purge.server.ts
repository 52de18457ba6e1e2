import { isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "~/db/client.server";
import { runBatch } from "~/db/gated";
import { retentionDays } from "~/db/periods";
import {
  activityLog,
  billingEvents,
  dailyCounts,
  declarations,
  departures,
  listens,
  mailedProofs,
  mailSuppressions,
  notices,
  operatorLog,
  outbox,
  playlistAdds,
  poolWindows,
  ratings,
  recordings,
  releaseWishes,
  reports,
  rounds,
  sessions,
  songWishes,
  unplayableReports,
} from "~/db/schema";
import { dayMs, dayOf } from "~/platform/dates";

/** Small batches, so that nobody waits long behind one. */
const batchSize = 500;
const batchesPerRun = 10;

/** Rows older than `daysKept` (by column `since`) are deleted; `only` restricts which. */
interface Expiring {
  since: SQLiteColumn;
  only?: SQL;
  /** `since` is a day (`dayOf`) and no moment. */
  byDay?: true;
}

const expiring = {
  sessions: { since: sessions.expiresAt },
  listens: { since: listens.startedAt },
  log: { since: activityLog.createdAt },
  proofs: { since: mailedProofs.createdAt, only: isNull(mailedProofs.usedAt) },
  bounces: { since: mailSuppressions.bouncedAt, only: sql`bounced_at IS NOT NULL` },
  billingEvents: { since: billingEvents.createdAt },
  declarations: { since: declarations.createdAt },
  windows: {
    since: poolWindows.updatedAt,
    // The job that looks for songs for those who wait uses their windows.
    only: sql`NOT EXISTS (SELECT 1 FROM song_wishes WHERE user_id = ${poolWindows.userId})`,
  },
  refusals: { since: unplayableReports.createdAt },
  songWishes: { since: songWishes.askedAt },
  releaseWishes: { since: releaseWishes.askedAt },
  operatorLog: { since: operatorLog.createdAt },
  reports: { since: reports.createdAt },
  notices: { since: notices.decidedAt, only: sql`decided_at IS NOT NULL` },
  playlistAdds: { since: playlistAdds.addedAt },
  dailyCounts: { since: dailyCounts.day, byDay: true },
  roundsEnded: { since: rounds.endedAt, only: sql`ended_at IS NOT NULL` },
  // Their files go with them (trigger `recordings_leave_files`).
  drafts: { since: recordings.createdAt, only: sql`state <> 'submitted'` },
} satisfies Record<string, Expiring>;

type Kind = keyof typeof expiring;

const daysKept: Record<Kind, number> = { ...retentionDays, sessions: 0 };

export type PurgedRows = Record<Kind | "mails" | "codeMails" | "departures", number>;

/** Deletes rows whose retention period is over, and sessions that have ended. One round trip per batch. */
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
  const deleteExpired = (kind: Kind) => {
    const { since, only = sql`true`, byDay }: Expiring = expiring[kind];
    const end = before(daysKept[kind]);
    return db
      .delete(since.table)
      .where(
        sql`rowid IN (SELECT rowid FROM ${since.table} WHERE ${since} < ${byDay ? dayOf(end) : end} AND ${only}
          ORDER BY ${since} LIMIT ${batchSize})`,
      )
      .returning({ since });
  };
  // A mail about several ratings is deleted with all its rows at once.
  const oldMails = sql`SELECT id FROM outbox
    WHERE state <> 'pending' AND created_at < ${before(retentionDays.mails)} AND mail_id = id
    ORDER BY created_at LIMIT ${batchSize}`;
  const oldDepartures = sql`SELECT id FROM departures
    WHERE left_at <= ${before(retentionDays.departures)} ORDER BY left_at LIMIT ${batchSize}`;
  const { expired, mails, codeMails, departed } = await runBatch(db, {
    expired: Object.fromEntries(
      (Object.keys(expiring) as Kind[]).map((kind) => [kind, deleteExpired(kind)]),
    ),
    ratings: db
      .update(ratings)
      .set({ owesMail: false })
      .where(
        sql`id IN (SELECT subject_id FROM outbox WHERE kind = 'rating' AND mail_id IN (${oldMails}))`,
      ),
    mails: db.delete(outbox).where(sql`mail_id IN (${oldMails})`).returning({ id: outbox.id }),
    codeMails: db
      .delete(outbox)
      .where(
        sql`id IN (SELECT id FROM outbox WHERE user_id IS NULL AND kind = 'login_code'
          AND created_at < ${before(retentionDays.proofs)} AND state <> 'pending'
          ORDER BY created_at LIMIT ${batchSize})`,
      )
      .returning({ id: outbox.id }),
    // A confirmed address is kept, but not what its mail was counted by.
    confirmed: db
      .update(mailedProofs)
      .set({ asker: null, asker56: null, asker48: null, spotifyWay: null, mailboxWay: null })
      .where(
        sql`rowid IN (SELECT rowid FROM mailed_proofs WHERE used_at IS NOT NULL AND asker IS NOT NULL
          AND created_at < ${before(retentionDays.proofs)} LIMIT ${batchSize})`,
      ),
    // The songs of the deleted marks can be rated again, and their windows have passed them.
    leaversWindows: db
      .delete(poolWindows)
      .where(sql`user_id IN (SELECT user_id FROM departures WHERE id IN (${oldDepartures}))`),
    departed: db
      .delete(departures)
      .where(sql`id IN (${oldDepartures})`)
      .returning({ id: departures.id }),
  });
  const deleted = { ...expired, mails, codeMails, departures: departed };
  return Object.fromEntries(
    Object.entries(deleted).map(([kind, rows]) => [kind, rows.length]),
  ) as PurgedRows;
}
