import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterEach, expect, test } from "vitest";
import * as schema from "~/db/schema";
import { contents, rowsOf } from "../../support/database/contents";
import { findViolations } from "../../support/database/invariants";
import { columnsOfTables, fillDatabase, renamedColumns } from "./migration-rows";

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));

/**
 * The rows of these tables and columns, sorted by content. A column that has been renamed since is
 * read by its new name.
 */
async function rowsIn(columns: Map<string, Set<string>>): Promise<Record<string, string[]>> {
  const all = await contents(...columns.keys());
  return Object.fromEntries(
    Object.entries(all).map(([table, rows]) => {
      const names = [...(columns.get(table) ?? [])];
      const newName = (name: string) =>
        renamedColumns.find((column) => column.table === table && column.before === name)?.after;
      const texts = (rows as Record<string, unknown>[]).map((row) =>
        JSON.stringify(
          names.map((name) => [name, row[name in row ? name : (newName(name) ?? "")]]),
        ),
      );
      return [table, texts.sort()];
    }),
  );
}

function triggers(): Promise<unknown[]> {
  return rowsOf("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name");
}

// A failed test may have applied only some of them.
afterEach(() => applyD1Migrations(env.DB, env.MIGRATIONS));

/** What tables hold after a migration that is meant to change their rows. */
const changed: Record<string, Record<string, string[]>> = {
  // The next walk starts at the beginning.
  "0013_join_behind_windows.sql": { pool_windows: [] },
  // Who has come back already waits no more, and the marks are of another kind.
  "0031_departures.sql": {
    departures: [
      JSON.stringify(
        ["id", "user_id"].map((name) => [name, name === "id" ? "l".repeat(43) : null]),
      ),
    ],
    rating_marks: [],
  },
};

/** The columns that a migration drops. */
const dropped: Record<string, Record<string, string[]>> = {
  "0031_departures.sql": {
    departures: ["sealed", "ends_at"],
    rating_marks: ["fingerprint", "ends_at"],
  },
  "0029_visits_of_users.sql": { sessions: ["visit", "slide"], submissions: ["session_id"] },
};

// If a migration is meant to change rows, or to drop a column, table or trigger, add an exception above.
test.each(env.MIGRATIONS.slice(1).map(({ name }, index) => ({ name, before: index + 1 })))(
  "$name keeps every row of a filled database as it was",
  async ({ name, before }) => {
    await reset();
    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, before));
    await fillDatabase();
    const columns = await columnsOfTables();
    for (const [table, names] of Object.entries(dropped[name] ?? {})) {
      for (const column of names) columns.get(table)?.delete(column);
    }
    const rows = { ...(await rowsIn(columns)), ...changed[name] };
    const triggersBefore = await triggers();

    await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, before + 1));
    expect(await rowsIn(columns)).toEqual(rows);
    expect(await rowsOf("SELECT * FROM pragma_foreign_key_check")).toEqual([]);
    expect(await triggers()).toEqual(expect.arrayContaining(triggersBefore));

    await applyD1Migrations(env.DB, env.MIGRATIONS);
    expect(await findViolations(env.DB)).toEqual([]);
  },
);

test("who had left before departures told when, and has not come back, is away for a day", async () => {
  await reset();
  const at = env.MIGRATIONS.findIndex(({ name }) => name === "0031_departures.sql");
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, at));
  await fillDatabase();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  // SQLite's clock is the machine's.
  const now = "abs(left_at - unixepoch() * 1000) < 60000";
  expect(await rowsOf(`SELECT id, user_id, ${now} AS now FROM departures`)).toEqual([
    { id: "l".repeat(43), user_id: null, now: 1 },
  ]);
});

test("where the last active login of a user stood, there the user stands", async () => {
  await reset();
  const at = env.MIGRATIONS.findIndex(({ name }) => name === "0029_visits_of_users.sql");
  await applyD1Migrations(env.DB, env.MIGRATIONS.slice(0, at));
  await fillDatabase();
  await env.DB.exec(
    `INSERT INTO sessions SELECT 'later', user_id, client_id, 2, 3, '', '', 0, 0, 0, last_seen_at + 1, 0,
       NULL, NULL, 0 FROM sessions WHERE id = 'session-ann'`.replaceAll("\n", " "),
  );
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  const [login] = (await rowsOf("SELECT last_seen_at FROM sessions WHERE id = 'later'")) as {
    last_seen_at: number;
  }[];
  expect(
    await rowsOf(
      "SELECT id, visit, slide, last_active_at FROM users WHERE id IN ('ann', 'bob') ORDER BY id",
    ),
  ).toEqual([
    { id: "ann", visit: 2, slide: 3, last_active_at: login?.last_seen_at },
    { id: "bob", visit: 1, slide: 1, last_active_at: 0 },
  ]);
  expect(await findViolations(env.DB)).toEqual([]);
});

test("the rows for trying migrations have every column filled, and every nullable column empty as well", async () => {
  await fillDatabase();
  const untried: string[] = [];
  for (const { name: table, columns } of tables.map(getTableConfig)) {
    for (const { name, notNull } of columns) {
      const [counts] = await rowsOf(
        `SELECT count("${name}") AS filled, count(*) - count("${name}") AS empty FROM "${table}"`,
      );
      const { filled, empty } = counts as { filled: number; empty: number };
      if (filled === 0) untried.push(`${table}.${name} is never filled`);
      if (empty === 0 && !notNull) untried.push(`${table}.${name} is never empty`);
    }
  }
  expect(untried).toEqual([]);
  expect(await findViolations(env.DB)).toEqual([]);
});

test("the migrations create exactly the tables of app/db/schema.ts", async () => {
  const names = tables.map((table) => getTableConfig(table).name);
  expect([...(await columnsOfTables()).keys()].sort()).toEqual(names.sort());
});

test.each(tables.map((table) => ({ name: getTableConfig(table).name, table })))(
  "$name is in the database as in app/db/schema.ts, and STRICT",
  async ({ name, table }) => {
    const config = getTableConfig(table);
    const key = config.primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name));
    expect(
      await rowsOf(
        'SELECT name, lower(type) AS type, "notnull", pk > 0 AS key FROM pragma_table_info(?)',
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

test.each(tables.map((table) => ({ name: getTableConfig(table).name, table })))(
  "$name has the indexes and references of app/db/schema.ts",
  async ({ name, table }) => {
    const config = getTableConfig(table);
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
