import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The database files of a state folder. D1 names its files by a hash, next to one of its own. */
export function databasesAt(path: string): string[] {
  return sqliteAt(path, "D1DatabaseObject");
}

/** The files that list what the buckets of a state folder hold. */
export function bucketsAt(path: string): string[] {
  return sqliteAt(path, "R2BucketObject").filter((file) => file !== path);
}

function sqliteAt(path: string, kind: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes(kind) && name.endsWith(".sqlite"))
    .filter((name) => !name.endsWith("metadata.sqlite"))
    .map((name) => join(path, name));
}
