/**
 * `npm run order-export <export> <result>`: makes what `wrangler d1 export` wrote fit to be
 * loaded into an empty database (.ops/README.md, "Restoring"). The export goes table by table and has the
 * indexes at its end, but no row can be written before the tables and unique keys that it refers
 * to. Here they come first. Triggers stay last, so that they meet no restored row: what they
 * forbid of a new row may be true of an old one.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readArguments } from "./command-line.ts";

/** A text in quotes, a comment, the end of a statement, or whatever lies between those. */
const pieces = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|;|[^;'"`-]+|-/g;
const schema = /^(PRAGMA|CREATE TABLE|CREATE INDEX|CREATE UNIQUE INDEX)\b/i;

/** The statements of an export, those that make tables and indexes in front. */
export function orderExport(sql: string): string {
  const statements: string[] = [];
  let statement = "";
  for (const [piece] of sql.matchAll(pieces)) {
    statement += piece;
    if (piece !== ";") continue;
    statements.push(statement);
    statement = "";
  }
  // A trigger is several statements by this count. None begins as those of the schema do.
  const first = statements.filter((text) => schema.test(text.trimStart()));
  const others = statements.filter((text) => !schema.test(text.trimStart()));
  return `${[...first, ...others].join("").trimStart()}\n`;
}

if (import.meta.main) {
  const { words } = readArguments({
    usage: "npm run order-export <export> <result>",
    words: { least: 2, most: 2 },
  });
  const [from = "", to = ""] = words;
  writeFileSync(to, orderExport(readFileSync(from, "utf8")));
}
