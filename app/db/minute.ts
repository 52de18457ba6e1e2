/** Owners learn of no rating when it came in any closer than to a minute. */
import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

const minuteMs = 60_000;

/** The whole minute before a point in time, both in epoch milliseconds. */
export function toTheMinute(at: number): number {
  return at - (at % minuteMs);
}

/** The same of a column, as it is read. */
export function columnToTheMinute(time: SQLiteColumn) {
  const minute = sql.raw(String(minuteMs));
  return sql<number | null>`${time} / ${minute} * ${minute}`;
}
