import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "~/db/schema";
import { allTables, rowsOf } from "../../support/database/contents";

const tables = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map(getTableConfig);

test("the migrations create exactly the tables of app/db/schema.ts", async () => {
  expect((await allTables()).sort()).toEqual(tables.map(({ name }) => name).sort());
});

test.each(tables)(
  "$name is in the database as in app/db/schema.ts, and STRICT",
  async ({ name, ...config }) => {
    const key = config.primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name));
    expect(
      await rowsOf(
        'SELECT name, lower(type) AS type, "notnull", pk > 0 AS key FROM pragma_table_xinfo(?)',
        name,
      ),
    ).toEqual(
      config.columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notnull: Number(column.notNull),
        key: Number(column.primary || key.includes(column.name)),
      })),
    );

    const [{ sql, strict }] = (await rowsOf(
      `SELECT sql, strict FROM sqlite_schema JOIN pragma_table_list AS list USING (name)
       WHERE name = ? AND list.schema = 'main'`,
      name,
    )) as [{ sql: string; strict: number }];
    expect(strict).toBe(1);
    const constraints = [...sql.matchAll(/CONSTRAINT "(\w+)" CHECK/g)].map(([, found]) => found);
    expect(constraints.sort()).toEqual(config.checks.map((check) => check.name).sort());
  },
);

test.each(tables)(
  "$name has the indexes and references of app/db/schema.ts",
  async ({ name, ...config }) => {
    const indexes = await rowsOf(
      `SELECT name, "unique", partial FROM pragma_index_list(?) WHERE origin = 'c' ORDER BY name`,
      name,
    );
    const wanted = [
      ...config.indexes.map(({ config: index }) => ({
        name: index.name,
        unique: Number(index.unique),
        partial: Number(index.where !== undefined),
      })),
      ...config.uniqueConstraints.map((unique) => ({ name: unique.name, unique: 1, partial: 0 })),
      ...config.columns
        .filter(({ isUnique }) => isUnique)
        .map(({ uniqueName }) => ({ name: uniqueName, unique: 1, partial: 0 })),
    ];
    expect(indexes).toEqual(wanted.sort((a, b) => String(a.name).localeCompare(String(b.name))));

    const references = await rowsOf(
      `SELECT "from", "table", "to", lower(on_delete) AS onDelete FROM pragma_foreign_key_list(?)
       ORDER BY "table", "from"`,
      name,
    );
    expect(references).toEqual(
      config.foreignKeys
        .flatMap((foreignKey) => {
          const { columns, foreignColumns, foreignTable } = foreignKey.reference();
          return columns.map((column, index) => ({
            from: column.name,
            table: getTableConfig(foreignTable).name,
            to: foreignColumns[index]?.name,
            onDelete: foreignKey.onDelete ?? "no action",
          }));
        })
        .sort((a, b) => `${a.table} ${a.from}`.localeCompare(`${b.table} ${b.from}`)),
    );
  },
);
