import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import * as schema from "./schema";

export type Database = DrizzleD1Database<typeof schema>;

/** A drizzle client on a D1 binding. */
export function createDatabase(binding: D1Database): Database {
  return drizzle(binding, { schema });
}
