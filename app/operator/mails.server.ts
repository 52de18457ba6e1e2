import { sql } from "drizzle-orm";
import type { DatabaseAndClock } from "~/db/client.server";
import { gated, hasRow, onCommit, runBatch } from "~/db/gated";
import { operatorLog, outbox } from "~/db/schema";
import type { OwedMailServices } from "~/outbox/owe-mail.server";
import { type Rejection, reject } from "~/platform/rejection";
import { type Operator, selectSamePress, writeLogLine } from "./audit.server";
import { everyMail } from "./decisions";

const mostAtOnce = 100;

/**
 * Sends one failed mail again, or all. Each goes out as it was rendered, if it is still wanted, and under its
 * old key, so that the provider sends none twice.
 */
export async function sendAgain(
  { db, mailQueue, now }: DatabaseAndClock & OwedMailServices,
  operator: Operator,
  mailId: string,
): Promise<{ ok: true } | Rejection> {
  const at = now();
  const line = {
    id: crypto.randomUUID(),
    operator,
    action: "send_again" as const,
    target: mailId,
    reason: "",
    now: at,
  };
  const failed = sql`(SELECT id FROM outbox WHERE state = 'failed' AND mail_id = id
    ${mailId === everyMail ? sql`` : sql`AND id = ${mailId}`} ORDER BY created_at LIMIT ${mostAtOnce})`;
  const userId = sql<
    string | null
  >`(SELECT user_id FROM outbox WHERE outbox.id = ${mailId} AND state = 'failed')`;
  const gate = writeLogLine(db, { ...line, userId }, sql`WHERE EXISTS ${failed}`);
  const { press, sent } = await runBatch(db, {
    press: selectSamePress(db, line),
    sent: gated(gate, hasRow(operatorLog, line.id), (only) => ({
      mails: onCommit(
        db
          .update(outbox)
          .set({ state: "pending", attempts: 0, notBefore: at })
          .where(sql`state = 'failed' AND mail_id IN ${failed} AND ${only}`)
          .returning({ id: outbox.id, mailId: outbox.mailId }),
        (rows) => {
          for (const { id, mailId } of rows) if (id === mailId) mailQueue.enqueue(id);
        },
      ),
    })),
  });
  if (sent.gate.length > 0 || press.length > 0) return { ok: true };
  return reject(
    409,
    "This mail did not fail, or is being sent again already. Nothing was changed.",
  );
}
