import { type SQL, sql } from "drizzle-orm";
import { dayOf } from "~/platform/dates";
import type { Database } from "./client.server";
import { insertSelect } from "./insert-select";
import { dailyCounts } from "./schema";

/**
 * Counts an event that leaves no row of its own, in a batch that runs anyway. If `from` (`FROM …`, `WHERE …`)
 * yields no row, nothing is counted.
 */
export function countEvent(
  db: Database,
  name: string,
  now: number,
  { times = sql`1`, from = sql`WHERE true` }: { times?: SQL; from?: SQL } = {},
) {
  return insertSelect(db, dailyCounts, {
    row: { day: dayOf(now), name, count: times },
    from,
  }).onConflictDoUpdate({
    target: [dailyCounts.day, dailyCounts.name],
    set: { count: sql`${dailyCounts.count} + excluded.count` },
  });
}
