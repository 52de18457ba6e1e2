/** D1's calls on a database in memory, so that a simulation needs no Worker. Time costs nothing in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** A migrated, empty database. */
export function migratedDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const folder = join(import.meta.dirname, "../../../migrations");
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith(".sql")) database.exec(readFileSync(join(folder, name), "utf8"));
  }
  return database;
}

/** The calls that the app makes of a binding. A batch is one transaction, as in D1. */
export function localD1(database: DatabaseSync): Pick<D1Database, "prepare" | "batch"> {
  const prepared = new Map<string, StatementSync>();
  const runs = new WeakMap<D1PreparedStatement, () => D1Result<unknown>>();

  function bound(sql: string, values: unknown[]): D1PreparedStatement {
    const run = () => {
      let statement = prepared.get(sql);
      if (!statement) {
        statement = database.prepare(sql);
        prepared.set(sql, statement);
      }
      return { results: statement.all(...values.map(toSqlite)) } as unknown as D1Result<unknown>;
    };
    const one = {
      bind: (...given: unknown[]) => bound(sql, given),
      all: async () => run(),
      run: async () => run(),
      // The app never selects two columns of the same name, which an object would merge.
      raw: async () => run().results.map((row) => Object.values(row as object)),
    } as unknown as D1PreparedStatement;
    runs.set(one, run);
    return one;
  }

  return {
    prepare: (sql) => bound(sql, []),
    async batch<T>(statements: D1PreparedStatement[]) {
      database.exec("BEGIN");
      try {
        const results = statements.map((one) => runs.get(one)?.() as D1Result<T>);
        database.exec("COMMIT");
        return results;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

function toSqlite(value: unknown): SQLInputValue {
  return typeof value === "boolean" ? Number(value) : (value as SQLInputValue);
}
