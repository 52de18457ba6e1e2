/** `npm run check:invariants`: exits with 1 if an invariant is broken. */
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { readArguments } from "../../../.ops/command-line.ts";
import { fileInvariants } from "../recordings/file-invariants.ts";
import { findViolations, invariants } from "./invariants.ts";
import { bucketsAt, databasesAt } from "./local-databases.ts";

const { words } = readArguments({
  usage: "npm run check:invariants -- [SQLite file or state folder]",
  words: { most: 1 },
});
const place = words[0] ?? process.env.STATE_DIR ?? ".wrangler";
const files = databasesAt(place);
if (files.length === 0) {
  console.error(`There is no database at ${place}.`);
  process.exit(1);
}
const stored = JSON.stringify(bucketsAt(place).flatMap(objectsIn));
const withFiles = existsSync(place) && statSync(place).isDirectory() ? fileInvariants : [];
for (const file of files) {
  const db = new DatabaseSync(file, { readOnly: true });
  const violations = await findViolations(db);
  for (const { name, sql } of withFiles) {
    const rows = db.prepare(sql).all(stored);
    if (rows.length > 0) violations.push({ name, rows });
  }
  db.close();
  console.log(file);
  for (const { name, rows } of violations) {
    console.error(`  BROKEN: ${name}. Rows: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  if (violations.length > 0) process.exitCode = 1;
  else console.log(`  All ${invariants.length + withFiles.length} invariants hold.`);
}

function objectsIn(bucket: string): Record<string, unknown>[] {
  const db = new DatabaseSync(bucket, { readOnly: true });
  const objects = db.prepare("SELECT key, size FROM _mf_objects").all();
  db.close();
  return objects;
}
