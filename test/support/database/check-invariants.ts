/** `npm run check:invariants [-- <SQLite file or state folder>]`: exits with 1 if an invariant is broken. */
import { DatabaseSync } from "node:sqlite";
import { findViolations, invariants } from "./invariants.ts";
import { databasesAt } from "./local-databases.ts";

const place = process.argv[2] ?? process.env.STATE_DIR ?? ".wrangler";
const files = databasesAt(place);
if (files.length === 0) {
  console.error(`There is no database at ${place}.`);
  process.exit(1);
}
for (const file of files) {
  const db = new DatabaseSync(file, { readOnly: true });
  const violations = await findViolations(db);
  db.close();
  console.log(file);
  for (const { name, rows } of violations) {
    console.error(`  BROKEN: ${name}. Rows: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  if (violations.length > 0) process.exitCode = 1;
  else console.log(`  All ${invariants.length} invariants hold.`);
}
