/** Times to the whole minute: owners learn no closer time of a rating (rule 5, anonymity). */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { minuteMs } from "../platform/dates.ts";

export function toTheMinute(at: number): number {
  return at - (at % minuteMs);
}

export function columnToTheMinute(time: SQLiteColumn | SQL) {
  const minute = sql.raw(String(minuteMs));
  return sql<number | null>`${time} / ${minute} * ${minute}`;
}
