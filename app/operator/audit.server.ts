import { type SQL, sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";
import { insertSelect } from "~/db/insert-select";
import { operatorLog } from "~/db/schema";
import type { Viewer } from "~/members/viewer.server";
import { minuteMs } from "~/platform/dates";

/** The operator who is logged in. */
export type Operator = Pick<Viewer, "userId" | "spotifyId">;

/** A line of the operators' log. */
interface LogLine {
  /** An expression where `from` yields several rows. */
  id: string | SQL<string>;
  operator: Operator;
  action: (typeof operatorLog.$inferSelect)["action"];
  /** The id of the song, user, lock or mail, or an expression for it. */
  target: string | SQL<string>;
  /** The user concerned, as an expression over the rows of `from`; none if left out. */
  userId?: SQL<string | null>;
  reason: string;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The gate of every operator's action: writes the log line if the target is still as the operator saw it.
 * @param from `FROM … WHERE …`, which yields a row for each line.
 */
export function writeLogLine(db: Database, { operator, now, ...line }: LogLine, from: SQL) {
  const row = { userId: null, ...line, operator: operator.spotifyId, createdAt: now };
  return insertSelect(db, operatorLog, { row, from }).returning({ id: operatorLog.id });
}

/** Time in which a repeated action of the same operator counts as a double press, in milliseconds. */
const doublePressMs = minuteMs;

/** The statement that finds the same action of the operator just before. */
export function selectSamePress(db: Database, line: Omit<LogLine, "id" | "userId">) {
  const { operator, action, target, reason, now } = line;
  return db
    .select({ id: operatorLog.id })
    .from(operatorLog)
    .where(
      sql`created_at > ${now - doublePressMs} AND operator = ${operator.spotifyId}
        AND action = ${action} AND target = ${target} AND reason = ${reason}`,
    )
    .limit(1);
}
