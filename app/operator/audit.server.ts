import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { operatorLog } from "~/db/schema";
import { identityOf } from "~/members/identity";
import type { Viewer } from "~/members/viewer.server";
import { minuteMs } from "~/platform/dates";

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

export function selectSamePress(db: Database, line: Omit<LogLine, "id" | "userId" | "ground">) {
  const { operator, action, target, reason, now } = line;
  return db
    .select({ id: operatorLog.id })
    .from(operatorLog)
    .where(
      sql`created_at > ${now - doublePressMs} AND operator = ${identityOf(operator)}
        AND action = ${action} AND target = ${target} AND reason = ${reason}`,
    )
    .limit(1);
}
