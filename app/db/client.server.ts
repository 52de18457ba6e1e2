import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Binding = Pick<D1Database, "prepare" | "batch">;

export type Database = DrizzleD1Database & { $client: Binding };

/** The database with the server's clock. */
export interface DatabaseAndClock {
  db: Database;
  now(): number;
}

export function createDatabase(binding: Binding): Database {
  return drizzle(binding as D1Database);
}
