import { expect, test } from "vitest";
import { migratedDatabase } from "./migrated-database";

interface Reference {
  /** The columns of one reference share it. */
  id: number;
  table: string;
  from: string;
}

/** The tables and what they refer to, drawn as Mermaid draws an entity relationship diagram. */
function tableMap(): string {
  const db = migratedDatabase();
  const rows = db
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .all();
  const tables = rows.map(({ name }) => String(name));
  const references = tables.flatMap((name) => {
    const found = db.prepare(`PRAGMA foreign_key_list(${name})`).all() as unknown as Reference[];
    const byId = Object.values(Object.groupBy(found, ({ id }) => id)) as Reference[][];
    return byId.map((columns) => ({
      name,
      table: columns[0]?.table,
      columns: columns.map(({ from }) => from).join(", "),
    }));
  });
  const lines = references
    .map(({ name, table, columns }) => `  ${table} ||--o{ ${name} : "${columns}"`)
    .sort();
  const alone = tables.filter((name) =>
    references.every((one) => one.name !== name && one.table !== name),
  );
  return [
    "# The tables",
    "",
    "What refers to what, and by which column; `schema.ts` says what each table is for. Drawn from the migrations by `npm run test:unit -- table-map -u`.",
    "",
    "```mermaid",
    "erDiagram",
    ...lines,
    "```",
    "",
    `These refer to nothing: ${alone.map((name) => `\`${name}\``).join(", ")}.`,
    "",
  ].join("\n");
}

test("app/db/README.md draws the tables that there are", async () => {
  await expect(tableMap()).toMatchFileSnapshot("../../app/db/README.md");
});
