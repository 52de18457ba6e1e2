import { type SQL, sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { onCommit, runBatch } from "~/db/gated";
import { outbox } from "~/db/schema";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import { type Rejection, reject } from "~/platform/rejection";
import { type Operator, operate, wasDone } from "./audit.server";
import { everyMail } from "./decisions";

const mostAtOnce = 100;

/**
 * Sends one failed mail again, or all. Each goes out as it was rendered, if it is still wanted, and under its
 * old key, so that the provider sends none twice.
 */
export async function sendAgain(
  { db, mailQueue, now }: DatabaseAndClock & OwedMailServices,
  operator: Operator,
  { target: mailId }: { target: string },
): Promise<Rejection | null> {
  const at = now();
  const line = {
    id: crypto.randomUUID(),
    operator,
    action: "send_again" as const,
    target: mailId,
    userId: sql<string | null>`(SELECT user_id FROM outbox
      WHERE outbox.id = ${mailId} AND state = 'failed')`,
    reason: "",
    now: at,
  };
  const failed = sql`(SELECT id FROM outbox WHERE state = 'failed' AND mail_id = id
    ${mailId === everyMail ? sql`` : sql`AND id = ${mailId}`} ORDER BY created_at LIMIT ${mostAtOnce})`;
  const send = (only: SQL) =>
    onCommit(
      db
        .update(outbox)
        .set({ state: "pending", attempts: 0, notBefore: at })
        .where(sql`state = 'failed' AND mail_id IN ${failed} AND ${only}`)
        .returning({ id: outbox.id, mailId: outbox.mailId }),
      (rows) => {
        for (const { id, mailId } of rows) if (id === mailId) mailQueue.enqueue(id);
      },
    );
  const read = await runBatch(db, operate(db, line, sql`WHERE EXISTS ${failed}`, send));
  return wasDone(read)
    ? null
    : reject(409, "This mail did not fail, or is being sent again already. Nothing was changed.");
}
