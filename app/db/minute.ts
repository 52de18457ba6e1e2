/** Times to the whole minute: owners learn no closer time of a rating (rule 5). */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { minuteMs } from "~/platform/dates";

/** The whole minute before a point in time, both in epoch milliseconds. */
export function toTheMinute(at: number): number {
  return at - (at % minuteMs);
}

/** A time column, read as the whole minute before. */
export function columnToTheMinute(time: SQLiteColumn | SQL) {
  const minute = sql.raw(String(minuteMs));
  return sql<number | null>`${time} / ${minute} * ${minute}`;
}
