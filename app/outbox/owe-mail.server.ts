import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { onCommit } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { outbox } from "~/db/schema";
import type { MailQueue } from "./mail-queue.server";
import { heldAt } from "./retry";

export type MailKind = typeof outbox.$inferSelect.kind;

/** SQL reads from what the statement reads from. */
interface OwedMail {
  id?: string | SQL<string>;
  /** Null for a mail that goes to an address, whoever has it. */
  userId: string | SQL<string> | null;
  kind: MailKind | SQL<MailKind>;
  subjectId: string | SQL<string>;
  /** No two mails have the same. Without a key, a subject gets one mail of a kind. */
  dedupeKey?: string | SQL<string>;
  now: number;
  notBefore?: SQL<number>;
}

export interface OwedMailServices {
  db: Database;
  mailQueue: MailQueue;
}

/** Records that a mail is owed if `from` (`FROM …` or `WHERE …`) yields a row. On commit, the mail is queued. */
export function oweMail(
  { db, mailQueue }: OwedMailServices,
  { dedupeKey, now, notBefore, ...mail }: OwedMail,
  from: SQL,
) {
  const row = {
    id: sql`lower(hex(randomblob(16)))`,
    ...mail,
    dedupeKey: dedupeKey ?? `${mail.kind}:${mail.subjectId}`,
    createdAt: now,
    notBefore: notBefore ?? now,
  };
  const owed = insertSelect(db, outbox, { row, from });
  return onCommit(owed.returning({ id: outbox.id, notBefore: outbox.notBefore }), (mails) => {
    for (const { id, notBefore } of mails) {
      if (notBefore !== heldAt) mailQueue.enqueue(id, notBefore - now);
    }
  });
}
