import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const folder = new URL("../../migrations/", import.meta.url);

/** A database in memory with the product's schema, for tests of it in plain Node. */
export function migratedDatabase({ foreignKeys = true } = {}): DatabaseSync {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: foreignKeys });
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith(".sql")) db.exec(readFileSync(new URL(name, folder), "utf8"));
  }
  return db;
}
