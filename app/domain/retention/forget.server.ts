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
/** As many rows of a table a run: what is more is left to the next, ten minutes later. */
const rowsARun = 500;

/** How many rows of each kind were forgotten. */
export interface Forgotten {
  sessions: number;
  listens: number;
  log: number;
  mails: number;
  confirmations: number;
  billingEvents: number;
  windows: number;
}

/**
 * Forgets what has been kept for as long as it may be, and the sessions that have ended. Nothing
 * that decides over anything is in it: a rating stands without its listen, a mail that is out does
 * not go out again. One round trip.
 */
export async function forgetOld(db: Database, now: number): Promise<Forgotten> {
  const before = (days: number) => now - days * day;
  // Mails that tell of several go as a whole.
  const oldMails = sql`SELECT id FROM outbox
    WHERE state <> 'pending' AND created_at < ${before(keptDays.mails)} AND mail_id = id
    ORDER BY created_at LIMIT ${rowsARun}`;
  const oldListens = db
    .select({ id: listens.id })
    .from(listens)
    .where(lt(listens.startedAt, before(keptDays.listens)))
    .orderBy(listens.startedAt)
    .limit(rowsARun);
  const ended = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lt(sessions.expiresAt, now))
    .limit(rowsARun);
  const oldLines = db
    .select({ id: activityLog.id })
    .from(activityLog)
    .where(lt(activityLog.createdAt, before(keptDays.log)))
    .orderBy(activityLog.createdAt)
    .limit(rowsARun);
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
      .where(lt(poolWindows.updatedAt, before(keptDays.windows)))
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
