import { getTableColumns, type InferInsertModel, is, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.server";

type SelectedRow<Table extends SQLiteTable> = {
  [Column in keyof InferInsertModel<Table>]: InferInsertModel<Table>[Column] | SQL;
};

/**
 * INSERT … SELECT with columns by their names. `from` holds `FROM …` and `WHERE …`; each row that it yields
 * is written. Columns that are left out get their default.
 */
export function insertSelect<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  { row, from }: { row: SelectedRow<Table>; from: SQL },
) {
  // Drizzle names all columns of the table in the INSERT, in this order, but those that are computed.
  const columns = Object.entries(getTableColumns(table) as Record<string, SQLiteColumn>).filter(
    ([, { generated }]) => generated === undefined,
  );
  const values = columns.map(([name, column]) => {
    const value = (row as Record<string, unknown>)[name] ?? column.default ?? null;
    return is(value, SQL) || value === null ? sql`${value}` : sql`${sql.param(value, column)}`;
  });
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} ${from}`);
}
