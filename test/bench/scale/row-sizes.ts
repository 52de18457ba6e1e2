/** The size of rows in the database, for planning how long its 10 GB last. */
import type { DatabaseSync } from "node:sqlite";

export interface RowSize {
  table: string;
  rows: number;
  /** Bytes per row, including free space in pages. */
  own: number;
  /** Bytes per row in all indexes of the table. */
  indexes: number;
}

/** The tables by bytes per row, the largest first; those with few rows are left out. */
export function rowSizes(database: DatabaseSync): RowSize[] {
  const trees = database
    .prepare(
      `SELECT sqlite_schema.type, sqlite_schema.tbl_name AS "table", pages.pgsize AS bytes
       FROM dbstat AS pages JOIN sqlite_schema ON sqlite_schema.name = pages.name
       WHERE pages.aggregate = TRUE`,
    )
    .all() as { type: string; table: string; bytes: number }[];
  const tables = [...new Set(trees.map(({ table }) => table))].filter((name) =>
    /^[a-z]/.test(name),
  );
  return tables
    .map((table) => {
      const { rows } = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as {
        rows: number;
      };
      const bytes = (type: string) =>
        trees
          .filter((tree) => tree.table === table && tree.type === type)
          .reduce((sum, tree) => sum + tree.bytes, 0) / rows;
      return { table, rows, own: bytes("table"), indexes: bytes("index") };
    })
    .filter(({ rows }) => rows >= 1000)
    .toSorted((a, b) => b.own + b.indexes - (a.own + a.indexes));
}

/** As a Markdown table. */
export function rowSizesTable(sizes: RowSize[]): string {
  const lines = sizes.map(({ table, rows, own, indexes }) => {
    const cells = [table, rows.toLocaleString("en"), own.toFixed(0), indexes.toFixed(0)];
    return `| ${[...cells, (own + indexes).toFixed(0)].join(" | ")} |`;
  });
  return [
    "",
    "| table | rows | bytes per row | in indexes | together |",
    "|---|--:|--:|--:|--:|",
    ...lines,
  ].join("\n");
}
