/** Expressions that drizzle has no word for. */
import { type SQL, sql } from "drizzle-orm";

/** A list of any length as one parameter, for `IN ${listOf(ids)}`. D1 allows a hundred parameters. */
export function listOf(values: readonly string[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** A condition as a column of a result, read as a boolean. */
export function asBoolean(condition: SQL, name: string): SQL.Aliased<boolean> {
  return sql<boolean>`${condition}`.mapWith(Boolean).as(name);
}
