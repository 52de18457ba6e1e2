import { sql } from "drizzle-orm";
import type { Database } from "~/db/client.server";

/** Checks whether the database answers and has its tables. */
export async function databaseAnswers(db: Database): Promise<boolean> {
  try {
    await db.run(sql`SELECT id FROM users LIMIT 1`);
    return true;
  } catch {
    return false;
  }
}
