import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Database = DrizzleD1Database;

/** A drizzle client on a D1 binding, or on a session of one. */
export function createDatabase(binding: Pick<D1Database, "prepare" | "batch">): Database {
  // Drizzle makes no other calls.
  return drizzle(binding as D1Database);
}
