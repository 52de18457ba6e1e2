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
import { keptDays } from "./limits";

const day = 24 * 60 * 60 * 1000;
/** As many rows of a table at once, so that nobody waits long behind it; and so often a run. */
const rowsATime = 500;
const timesARun = 10;

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
export async function forgetOld(db: Database, now: number): Promise<Forgotten> {
  const all = await forgetSome(db, now);
  let last = all;
  for (let times = 1; times < timesARun && isMoreLeft(last); times += 1) {
    last = await forgetSome(db, now);
    for (const kind of kinds) all[kind] += last[kind];
  }
  return all;
}

function isMoreLeft(forgotten: Forgotten): boolean {
  return kinds.some((kind) => forgotten[kind] >= rowsATime);
}

async function forgetSome(db: Database, now: number): Promise<Forgotten> {
  const before = (days: number) => now - days * day;
  // Mails that tell of several go as a whole.
  const oldMails = sql`SELECT id FROM outbox
    WHERE state <> 'pending' AND created_at < ${before(keptDays.mails)} AND mail_id = id
    ORDER BY created_at LIMIT ${rowsATime}`;
  const oldListens = db
    .select({ id: listens.id })
    .from(listens)
    .where(lt(listens.startedAt, before(keptDays.listens)))
    .orderBy(listens.startedAt)
    .limit(rowsATime);
  const ended = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lt(sessions.expiresAt, now))
    .limit(rowsATime);
  const oldLines = db
    .select({ id: activityLog.id })
    .from(activityLog)
    .where(lt(activityLog.createdAt, before(keptDays.log)))
    .orderBy(activityLog.createdAt)
    .limit(rowsATime);
  const unwalked = db
    .select({ userId: poolWindows.userId })
    .from(poolWindows)
    .where(lt(poolWindows.updatedAt, before(keptDays.windows)))
    .orderBy(poolWindows.updatedAt)
    .limit(rowsATime);
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
          lt(emailConfirmations.createdAt, before(keptDays.confirmations)),
        ),
      )
      .returning({ id: emailConfirmations.id }),
    db
      .delete(confirmationCounts)
      .where(lt(confirmationCounts.createdAt, before(keptDays.confirmations))),
    db
      .delete(billingEvents)
      .where(lt(billingEvents.createdAt, before(keptDays.billingEvents)))
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
