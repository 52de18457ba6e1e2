/** D1 with counters, for measuring the cost of a page or an action. */
import { type SentStatement, withoutSessions, wrappedDatabase } from "./wrapped-database";

export interface CountingDatabase {
  binding: D1Database;
  roundTrips(): number;
  statements: SentStatement[];
  /** The rows that D1 scanned and would bill; NaN after a `first` or `raw`, for which D1 gives no figures. */
  rowsRead(): number;
}

export function countingDatabase(database: D1Database): CountingDatabase {
  const statements: SentStatement[] = [];
  let trips = 0;
  let rows = 0;
  const wrapped = wrappedDatabase(async (sent, carryOut, hasFigures) => {
    trips += 1;
    statements.push(...sent);
    const result = await carryOut(database);
    const results = [result].flat() as D1Result[];
    rows += hasFigures ? results.reduce((sum, { meta }) => sum + meta.rows_read, 0) : Number.NaN;
    return result;
  });
  return {
    binding: withoutSessions(wrapped),
    roundTrips: () => trips,
    statements,
    rowsRead: () => rows,
  };
}
