import { sql } from "drizzle-orm";

/** Members there have ever been, about: one row is read. */
export const members = sql`coalesce((SELECT max(rowid) FROM users), 0)`;
