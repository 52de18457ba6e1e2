import { and, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import {
  activityLog,
  billingEvents,
  confirmationCounts,
  emailConfirmations,
  listens,
  outbox,
  poolWindows,
  ratings,
  sessions,
} from "~/db/schema";
import { retentionDays } from "./limits";

const day = 24 * 60 * 60 * 1000;
/** As many rows of a table at once, so that nobody waits long behind it; and so often a run. */
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
] as const;

/** How many rows of each kind were forgotten. */
export type Forgotten = Record<(typeof kinds)[number], number>;

/**
 * Forgets what has been kept for as long as it may be, and the sessions that have ended. Nothing
 * that decides over anything is in it: a rating stands without its listen, a mail that is out does
 * not go out again. One round trip, and more while something is left.
 */
export async function purgeExpired(db: Database, now: number): Promise<Forgotten> {
  const all = await forgetSome(db, now);
  let last = all;
  for (let times = 1; times < batchesPerRun && isMoreLeft(last); times += 1) {
    last = await forgetSome(db, now);
    for (const kind of kinds) all[kind] += last[kind];
  }
  return all;
}

function isMoreLeft(forgotten: Forgotten): boolean {
  return kinds.some((kind) => forgotten[kind] >= batchSize);
}

async function forgetSome(db: Database, now: number): Promise<Forgotten> {
  const before = (days: number) => now - days * day;
  // Mails that tell of several go as a whole.
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
    .where(lt(poolWindows.updatedAt, before(retentionDays.windows)))
    .orderBy(poolWindows.updatedAt)
    .limit(batchSize);
  const results = await db.batch([
    db.delete(sessions).where(inArray(sessions.id, ended)).returning({ id: sessions.id }),
    db.delete(listens).where(inArray(listens.id, oldListens)).returning({ id: listens.id }),
    db.delete(activityLog).where(inArray(activityLog.id, oldLines)).returning({
      id: activityLog.id,
    }),
    db
      .update(ratings)
      .set({ owesMail: false })
      .where(
        sql`id IN (SELECT subject_id FROM outbox WHERE kind = 'rating' AND mail_id IN (${oldMails}))`,
      ),
    db.delete(outbox).where(sql`mail_id IN (${oldMails})`).returning({ id: outbox.id }),
    db
      .delete(emailConfirmations)
      .where(
        and(
          isNull(emailConfirmations.usedAt),
          lt(emailConfirmations.createdAt, before(retentionDays.confirmations)),
        ),
      )
      .returning({ id: emailConfirmations.id }),
    db
      .delete(confirmationCounts)
      .where(lt(confirmationCounts.createdAt, before(retentionDays.confirmations))),
    db
      .delete(billingEvents)
      .where(lt(billingEvents.createdAt, before(retentionDays.billingEvents)))
      .returning({ id: billingEvents.id }),
    db
      .delete(poolWindows)
      .where(inArray(poolWindows.userId, unwalked))
      .returning({ userId: poolWindows.userId }),
  ]);
  const [closed, heard, lines, , mails, links, , events, windows] = results;
  return {
    sessions: closed.length,
    listens: heard.length,
    log: lines.length,
    mails: mails.length,
    confirmations: links.length,
    billingEvents: events.length,
    windows: windows.length,
  };
}
