import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { operatorLog } from "~/db/schema";
import type { Viewer } from "~/domain/session/viewer.server";

/** What the operator's actions work with. */
export interface OperatorServices {
  db: Database;
  /** Epoch milliseconds. */
  now(): number;
}

/** The one who operates. */
export type Operator = Pick<Viewer, "userId" | "spotifyId">;

/** A line of the operators' log, which is what an action does it by. */
interface Line {
  id: string;
  operator: Operator;
  action: (typeof operatorLog.$inferSelect)["action"];
  /** The id of what it is done to, or an expression for it. */
  target: string | SQL<string>;
  /** Whom it concerns, as an expression over what the statement reads from; nobody without it. */
  userId?: SQL<string | null>;
  reason: string;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The gate of whatever an operator does: it writes the line of the log, if what it is to be done to is
 * there and stands as the operator has seen it.
 * @param from `FROM … WHERE …`, of one row.
 */
export function writeLine(db: Database, { operator, now, ...line }: Line, from: SQL) {
  const row = { userId: null, ...line, operator: operator.spotifyId, createdAt: now };
  return insertSelect(db, operatorLog, { row, from }).returning({ id: operatorLog.id });
}

/** For how long after an action the same once more, by the same operator, is its second press. */
const pressMs = 60_000;

/** The statement that reads whether the operator has just done the same. */
export function selectSamePress(db: Database, line: Omit<Line, "id" | "userId">) {
  const { operator, action, target, reason, now } = line;
  return db
    .select({ id: operatorLog.id })
    .from(operatorLog)
    .where(
      sql`created_at > ${now - pressMs} AND operator = ${operator.spotifyId}
        AND action = ${action} AND target = ${target} AND reason = ${reason}`,
    )
    .limit(1);
}
