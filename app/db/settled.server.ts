import { type SQL, sql } from "drizzle-orm";
import { columnToTheMinute } from "./minute";
import { settleMs } from "./settled";

/** The moment from which `isSettled` holds for the score of a rating given at this time, as an expression. */
export function settlesAt(ratedAt: SQL): SQL<number> {
  return sql<number>`(${columnToTheMinute(ratedAt)} + ${settleMs})`;
}
