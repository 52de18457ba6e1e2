import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { countEvent } from "~/db/count-event.server";
import { listOf } from "~/db/expressions";
import { runBatch } from "~/db/gated";
import { outbox } from "~/db/schema";
import { settlesAt } from "~/db/settled";
import type { RenderedMail } from "./mailer";
import { heldAt, leaseMs } from "./retry";

/** A mail that only this consumer may send for now. */
export type ClaimedMail = Claim["claimed"][number];
export type OutboxRow = Claim["rows"][number];
type Claim = Awaited<ReturnType<typeof claimMails>>;

const contentErased = {
  to: null,
  bcc: null,
  subject: null,
  html: null,
  text: null,
};

/**
 * Claims the mails that are due among some outbox rows. A row that is due leads a mail of its own. Of a user's ratings,
 * only the first one in `ids` leads, and takes along for good all that wait, due or not, except those that are held for
 * others or can still be changed (rule 18, one rating), so that each attempt at that mail reports the same ratings.
 */
export async function claimMails(db: Database, ids: string[], now: number) {
  if (ids.length === 0) return { claimed: [], rows: [] };
  const isAsked = sql`${outbox.id} IN ${listOf(ids)}`;
  // In each group SQLite takes the other columns from the row with the least key, the first in `ids`.
  const leads = sql`(SELECT outbox.id, user_id, kind, min(json_each.key)
    FROM json_each(${JSON.stringify(ids)}) JOIN outbox ON outbox.id = json_each.value
    WHERE state = 'pending' AND mail_id IS NULL AND not_before <= ${now}
    GROUP BY CASE kind WHEN 'rating' THEN user_id ELSE outbox.id END)`;
  return runBatch(db, {
    mails: db
      .update(outbox)
      .set({ mailId: sql`lead.id` })
      .from(sql`${leads} AS lead`)
      .where(
        sql`state = 'pending' AND mail_id IS NULL AND outbox.user_id IS lead.user_id
          AND (outbox.id = lead.id OR (outbox.kind = 'rating' AND lead.kind = 'rating'
            AND (outbox.not_before <= ${now} OR outbox.not_before < ${heldAt}
              AND ${settlesAt(sql`outbox.created_at`)} <= ${now})))`,
      ),
    claimed: db
      .update(outbox)
      .set({ notBefore: now + leaseMs, attempts: sql`attempts + 1` })
      .where(sql`${isAsked} AND mail_id = id AND state = 'pending' AND not_before <= ${now}`)
      .returning({
        id: outbox.id,
        kind: outbox.kind,
        dedupeKey: outbox.dedupeKey,
        attempts: outbox.attempts,
        to: outbox.to,
        bcc: outbox.bcc,
        subject: outbox.subject,
        html: outbox.html,
        text: outbox.text,
      }),
    rows: db
      .select({
        id: outbox.id,
        state: outbox.state,
        notBefore: outbox.notBefore,
        mailId: outbox.mailId,
      })
      .from(outbox)
      .where(isAsked),
  });
}

export async function saveRendered(
  db: Database,
  mails: { mail: { id: string }; rendered: RenderedMail }[],
): Promise<void> {
  const save = ({ mail, rendered }: (typeof mails)[number]) =>
    db
      .update(outbox)
      .set(rendered)
      .where(pending(eq(outbox.id, mail.id)));
  await runBatch(db, mails.map(save));
}

export async function markSent(db: Database, id: string, now: number): Promise<void> {
  await runBatch(db, {
    count: countEvent(db, "mails_sent", now, { from: ifPending(id) }),
    state: db
      .update(outbox)
      .set({ state: "sent", sentAt: now, fault: null, ...contentErased })
      .where(pending(eq(outbox.mailId, id))),
  });
}

export async function markSkipped(db: Database, id: string, reason: string): Promise<void> {
  await db
    .update(outbox)
    .set({ state: "skipped", fault: reason, ...contentErased })
    .where(pending(eq(outbox.mailId, id)));
}

/** The content stays for the operator, but not of a confirmation, because its address may be a stranger's. */
export async function markFailed(
  db: Database,
  id: string,
  { fault, now }: { fault: string; now: number },
): Promise<void> {
  const rows = pending(eq(outbox.mailId, id));
  await runBatch(db, {
    count: countEvent(db, "mails_failed", now, { from: ifPending(id) }),
    content: db
      .update(outbox)
      .set(contentErased)
      .where(and(rows, eq(outbox.kind, "confirmation"))),
    state: db.update(outbox).set({ state: "failed", fault }).where(rows),
  });
}

export async function postpone(
  db: Database,
  id: string,
  change: { notBefore: number; attempts: number; fault: string },
): Promise<void> {
  await db
    .update(outbox)
    .set(change)
    .where(pending(eq(outbox.id, id)));
}

function ifPending(id: string): SQL {
  return sql`FROM outbox WHERE id = ${id} AND state = 'pending'`;
}

function pending(rows: SQL): SQL | undefined {
  return and(rows, eq(outbox.state, "pending"));
}
