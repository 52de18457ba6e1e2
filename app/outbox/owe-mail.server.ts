import type { SQL } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { onCommit } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { outbox } from "~/db/schema";
import type { MailQueue } from "./mail-queue.server";

/** The kind of a mail. */
export type MailKind = typeof outbox.$inferSelect.kind;

/** A mail that is owed to a user. */
interface OwedMail {
  /** The id of its outbox row. */
  id: string;
  /** The user's id, or an expression for it over what the statement reads from. */
  userId: string | SQL<string>;
  /** The kind, or an expression for it over what the statement reads from. */
  kind: MailKind | SQL<MailKind>;
  /** The rating, submission, confirmation or customer that it is about. */
  subjectId: string;
  /** No two mails have the same one. Without it, a subject gets one mail of a kind. */
  dedupeKey?: string;
  /** Epoch milliseconds. */
  now: number;
  /** The time from which it may be sent, in epoch milliseconds, where it is not due at once. */
  notBefore?: SQL<number>;
  /** The longest wait in the queue, in milliseconds. A mail that waits for longer is a digest. */
  waitMs?: number;
}

/** The services of owing a mail. */
export interface OwedMailServices {
  db: Database;
  mailQueue: MailQueue;
}

/**
 * The statement that records that a mail is owed, for the batch that owes it. Once the batch is committed,
 * the mail is queued.
 * @param from `FROM …` or `WHERE …`, the condition on which the mail is owed.
 */
export function oweMail(
  { db, mailQueue }: OwedMailServices,
  { dedupeKey, now, notBefore, waitMs = 0, ...mail }: OwedMail,
  from: SQL,
) {
  const row = {
    ...mail,
    dedupeKey: dedupeKey ?? `${mail.kind}:${mail.subjectId}`,
    createdAt: now,
    notBefore: notBefore ?? now,
  };
  const owed = insertSelect(db, outbox, { row, from });
  return onCommit(owed.returning({ id: outbox.id, notBefore: outbox.notBefore }), (mails) => {
    for (const { id, notBefore } of mails) {
      // A digest is left to the sweep: the queue delays no message for that long.
      if (notBefore <= now + waitMs) mailQueue.enqueue(id, notBefore - now);
    }
  });
}
