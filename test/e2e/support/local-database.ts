import { DatabaseSync } from "node:sqlite";
import { databasesAt } from "../../support/database/local-databases.ts";

/**
 * Changes the database of the running product from outside. Keep it short: what the product wants to
 * write meanwhile fails.
 */
export function onDatabase<Result>(change: (db: DatabaseSync) => Result): Result {
  const [file, ...more] = databasesAt(process.env.E2E_STATE_DIR ?? "");
  if (!file || more.length > 0) throw new Error("not one database");
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // It is thrown away anyway, and waiting for the disk would make it long.
    db.exec("PRAGMA synchronous = OFF");
    return change(db);
  } finally {
    db.close();
  }
}
