import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { type Batch, gated, hasRow } from "~/db/gated";
import { insertSelect } from "~/db/insert-select";
import { operatorLog } from "~/db/schema";
import { identityOf } from "~/members/identity";
import type { Viewer } from "~/members/viewer.server";
import { minuteMs } from "~/platform/dates";
import { logEvent } from "~/platform/log";
import { type Rejection, reject } from "~/platform/rejection";
import { decisionErrors } from "./decisions";

export type Operator = Pick<Viewer, "userId" | "spotifyId" | "ownEmail">;

interface LogLine {
  /** An expression where `from` yields several rows. */
  id: string | SQL<string>;
  operator: Operator;
  action: (typeof operatorLog.$inferSelect)["action"];
  target: string | SQL<string>;
  /** The user concerned, as an expression over the rows of `from`. */
  userId?: SQL<string | null>;
  reason: string;
  ground?: (typeof operatorLog.$inferSelect)["ground"];
  now: number;
}

/**
 * The gate of every operator's action. `from` yields a row for each line, if the target is still as the
 * operator saw it.
 */
export function writeLogLine(db: Database, { operator, now, ...line }: LogLine, from: SQL) {
  const row = { userId: null, ...line, operator: identityOf(operator), createdAt: now };
  return insertSelect(db, operatorLog, { row, from }).returning({ id: operatorLog.id });
}

/** A repeated action of the same operator within it is a double press. */
const doublePressMs = minuteMs;

/** An action with its line: `done` has a row if it was carried out now, `press` one if it was just before. */
export function operate<Effects extends Batch>(
  db: Database,
  line: LogLine & { id: string },
  from: SQL,
  effects: (only: SQL) => Effects,
) {
  const { id, operator, action, target, reason, now } = line;
  return {
    press: db
      .select({ id: operatorLog.id })
      .from(operatorLog)
      .where(
        sql`created_at > ${now - doublePressMs} AND operator = ${identityOf(operator)}
          AND action = ${action} AND target = ${target} AND reason = ${reason}`,
      )
      .limit(1),
    done: gated(writeLogLine(db, line, from), hasRow(operatorLog, id), effects),
  };
}

interface Operated {
  press: unknown[];
  done: { gate: unknown[] };
}

/** Now, or by the press before. */
export function wasDone({ press, done }: Operated): boolean {
  return done.gate.length > 0 || press.length > 0;
}

export function noteDecision(read: Operated, kind: LogLine["action"]): Rejection | null {
  if (read.done.gate.length > 0) logEvent("operator_decided", { kind });
  return wasDone(read) ? null : reject(409, decisionErrors.nothing);
}
