/**
 * A database with a read replica that lags as far behind as a test wants, made of two local D1
 * databases. Like D1, it sends writes to the primary and reads to the replica, unless the session
 * begins at the primary or has seen more than the replica has.
 */
import { allTables } from "./contents";

export interface ReplicatedDatabase {
  /** To be given to the app in place of the binding. */
  binding: D1Database;
  /** Brings the replica up to date. */
  replicate(): Promise<void>;
  /** The instance that served each call so far, in order. */
  served: ("primary" | "replica")[];
}

export function replicatedDatabase(primary: D1Database, replica: D1Database): ReplicatedDatabase {
  const served: ("primary" | "replica")[] = [];
  const unbound = new WeakMap<D1PreparedStatement, { sql: string; params: unknown[] }>();
  /** The version of the primary that the replica has. */
  let known = "";

  async function replicate(): Promise<void> {
    known = await stateOf(primary);
    const tables = await allTables();
    const statements = [
      replica.prepare("PRAGMA defer_foreign_keys = ON"),
      ...tables.map((table) => replica.prepare(`DELETE FROM "${table}"`)),
    ];
    // A trigger refuses ratings that are inserted before their listens.
    for (const table of [...tables.filter((name) => name !== "ratings"), "ratings"]) {
      const { results } = await primary.prepare(`SELECT * FROM "${table}"`).all();
      for (const row of results) {
        const names = Object.keys(row).map((name) => `"${name}"`);
        const values = names.map(() => "?").join(", ");
        const sql = `INSERT INTO "${table}" (${names.join(", ")}) VALUES (${values})`;
        statements.push(replica.prepare(sql).bind(...Object.values(row)));
      }
    }
    await replica.batch(statements);
  }

  function withSession(start = "first-unconstrained"): D1DatabaseSession {
    let seen = start.startsWith("first-") ? null : start;
    let atPrimary = start === "first-primary";

    /** Sends a call to one of the two. */
    async function call<T>(sqls: string[], carryOut: (database: D1Database) => Promise<T>) {
      const reads = sqls.every((sql) => /^\s*select\b/i.test(sql));
      const behind = seen !== null && seen > known;
      const where = reads && !atPrimary && !behind ? "replica" : "primary";
      atPrimary = false;
      served.push(where);
      const result = await carryOut(where === "replica" ? replica : primary);
      const state = where === "replica" ? known : await stateOf(primary);
      seen = seen !== null && seen > state ? seen : state;
      return result;
    }

    function statement(sql: string, params: unknown[]): D1PreparedStatement {
      const on = (database: D1Database) => database.prepare(sql).bind(...params);
      const one = {
        bind: (...values: unknown[]) => statement(sql, values),
        all: () => call([sql], (database) => on(database).all()),
        run: () => call([sql], (database) => on(database).run()),
        first: (...column: [string]) => call([sql], (database) => on(database).first(...column)),
        raw: (...options: [{ columnNames: true }]) =>
          call([sql], (database) => on(database).raw(...options)),
      } as D1PreparedStatement;
      unbound.set(one, { sql, params });
      return one;
    }

    return {
      prepare: (sql) => statement(sql, []),
      batch<T>(batch: D1PreparedStatement[]) {
        const all = batch.map((one) => unbound.get(one) ?? { sql: "", params: [] });
        return call(
          all.map(({ sql }) => sql),
          (database) =>
            database.batch<T>(all.map(({ sql, params }) => database.prepare(sql).bind(...params))),
        );
      },
      getBookmark: () => seen,
    };
  }

  const { prepare, batch } = withAlwaysPrimary(primary);
  return { binding: { prepare, batch, withSession } as D1Database, replicate, served };
}

/** Without a session, everything goes to the primary. */
function withAlwaysPrimary(primary: D1Database) {
  return {
    prepare: (sql: string) => primary.prepare(sql),
    batch: <T>(statements: D1PreparedStatement[]) => primary.batch<T>(statements),
  };
}

/** The primary's current bookmark. */
async function stateOf(primary: D1Database): Promise<string> {
  const session = primary.withSession("first-primary");
  await session.prepare("SELECT 1").all();
  return session.getBookmark() ?? "";
}
