import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";
import { leaseMs } from "./retry";

/** A mail that this consumer alone may send for now. */
export type ClaimedMail = Awaited<ReturnType<typeof claim>>[number];

/** How an outbox row stands that was not claimed. */
export interface OutboxRow {
  id: string;
  state: typeof outbox.$inferSelect.state;
  /** Epoch milliseconds. */
  notBefore: number;
  /** The row whose mail tells of this one, once that is settled. */
  mailId: string | null;
}

/**
 * Claims the mails that are due among some outbox rows, in one round trip. The ratings that a user
 * has not been told of go into the first of them, for good: every later attempt tells of the same.
 * @returns what was claimed, and how every row that there is stands.
 */
export async function claimMails(
  db: Database,
  ids: string[],
  now: number,
): Promise<{ claimed: ClaimedMail[]; rows: Map<string, OutboxRow> }> {
  const [first, ...more] = ids;
  if (!first) return { claimed: [], rows: new Map() };
  const read = db
    .select({
      id: outbox.id,
      state: outbox.state,
      notBefore: outbox.notBefore,
      mailId: outbox.mailId,
    })
    .from(outbox)
    .where(inArray(outbox.id, ids));
  const steps = more.flatMap((id) => [gather(db, id, now), claim(db, id, now)]);
  const [, taken, ...rest] = await db.batch([
    gather(db, first, now),
    claim(db, first, now),
    ...steps,
    read,
  ]);
  const rows = rest.pop() as OutboxRow[];
  const others = rest.filter((_, index) => index % 2 === 1) as ClaimedMail[][];
  return {
    claimed: [taken, ...others].flat(),
    rows: new Map(rows.map((row) => [row.id, row])),
  };
}

/** Settles which rows the mail of a row tells of. */
function gather(db: Database, id: string, now: number) {
  const lead = sql`(SELECT user_id FROM outbox
    WHERE id = ${id} AND state = 'pending' AND mail_id IS NULL AND not_before <= ${now})`;
  return db
    .update(outbox)
    .set({ mailId: id })
    .where(
      sql`state = 'pending' AND mail_id IS NULL AND user_id = ${lead}
        AND (id = ${id} OR (kind = 'rating'
          AND (SELECT kind FROM outbox WHERE id = ${id}) = 'rating'))`,
    );
}

function claim(db: Database, id: string, now: number) {
  return db
    .update(outbox)
    .set({ notBefore: now + leaseMs, attempts: sql`attempts + 1` })
    .where(
      and(
        eq(outbox.id, id),
        eq(outbox.mailId, id),
        eq(outbox.state, "pending"),
        lte(outbox.notBefore, now),
      ),
    )
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
    });
}
