import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** The part of a D1 binding, or of a session of one, that drizzle calls. */
export type Binding = Pick<D1Database, "prepare" | "batch">;

export type Database = DrizzleD1Database & { $client: Binding };

/** The database, with the server's clock in epoch milliseconds. */
export interface DatabaseAndClock {
  db: Database;
  now(): number;
}

/** A drizzle client on a D1 binding, or on a session of one. */
export function createDatabase(binding: Binding): Database {
  // Drizzle makes no other calls.
  return drizzle(binding as D1Database);
}
