/** The statements that write down what became of a mail, for every row that it tells of. */
import { and, eq, type SQL } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { outbox } from "~/db/schema";

/** Once a mail is out or not wanted, what was in it is nobody's business any more. */
const forgotten = { to: null, bcc: null, subject: null, html: null, text: null };

/** A mail as it goes to the provider, but for what follows from whom it is to. */
export interface RenderedMail {
  to: string;
  bcc: string | null;
  subject: string;
  html: string;
  text: string;
}

/** Keeps what is about to be sent, in one round trip. */
export async function saveRendered(
  db: Database,
  mails: { mail: { id: string }; rendered: RenderedMail }[],
): Promise<void> {
  const [first, ...more] = mails.map(({ mail: { id }, rendered }) =>
    db
      .update(outbox)
      .set(rendered)
      .where(pending(eq(outbox.id, id))),
  );
  if (first) await db.batch([first, ...more]);
}

export async function markSent(db: Database, id: string, now: number): Promise<void> {
  const change = { state: "sent", sentAt: now, fault: null, ...forgotten } as const;
  await db
    .update(outbox)
    .set(change)
    .where(pending(eq(outbox.mailId, id)));
}

/** @param why in a word or two. */
export async function markSkipped(db: Database, id: string, why: string): Promise<void> {
  const change = { state: "skipped", fault: why, ...forgotten } as const;
  await db
    .update(outbox)
    .set(change)
    .where(pending(eq(outbox.mailId, id)));
}

/**
 * Marks a mail as failed for good. It stays as it was rendered, for the operator to look into; not a
 * confirmation, whose link is dead by then and whose address is perhaps a stranger's.
 */
export async function markFailed(db: Database, id: string, fault: string): Promise<void> {
  const failed = { state: "failed", fault } as const;
  const change = pending(eq(outbox.mailId, id));
  await db.batch([
    db
      .update(outbox)
      .set(forgotten)
      .where(and(change, eq(outbox.kind, "confirmation"))),
    db.update(outbox).set(failed).where(change),
  ]);
}

/** Gives a claim back: the mail is to be tried again, from then on. */
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

function pending(rows: SQL): SQL | undefined {
  return and(rows, eq(outbox.state, "pending"));
}
