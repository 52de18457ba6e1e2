import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { seedSql } from "../../sandbox/seed.ts";

/** A migrated database in memory with the seed. `now` is in epoch milliseconds. */
export function seededDatabase(now: number): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  const folder = new URL("../../../migrations/", import.meta.url);
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith(".sql")) db.exec(readFileSync(new URL(name, folder), "utf8"));
  }
  db.exec(seedSql("http://127.0.0.1:8788", now));
  return db;
}
