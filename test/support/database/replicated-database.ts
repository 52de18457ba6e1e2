/**
 * A database with a replica that lags as far behind as a test wants, made of two D1 databases. Writes go to the
 * primary, reads to the replica unless the session begins at the primary or has seen more.
 */
import { env } from "cloudflare:workers";
import { allTables } from "./contents";
import { wrappedDatabase } from "./wrapped-database";

export interface ReplicatedDatabase {
  binding: D1Database;
  replicate(): Promise<void>;
  served: ("primary" | "replica")[];
}

export function replicatedDatabase(primary: D1Database, replica: D1Database): ReplicatedDatabase {
  const served: ("primary" | "replica")[] = [];
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
      const { results } = await primary.prepare(await selectStored(table)).all();
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

    const session = wrappedDatabase(async (sent, carryOut) => {
      const reads = sent.every(({ sql }) => /^\s*select\b/i.test(sql));
      const behind = seen !== null && seen > known;
      const where = reads && !atPrimary && !behind ? "replica" : "primary";
      atPrimary = false;
      served.push(where);
      const result = await carryOut(where === "replica" ? replica : primary);
      const state = where === "replica" ? known : await stateOf(primary);
      seen = seen !== null && seen > state ? seen : state;
      return result;
    });
    return { ...session, getBookmark: () => seen };
  }

  const binding = {
    // Without a session, everything goes to the primary.
    prepare: (sql: string) => primary.prepare(sql),
    batch: <T>(statements: D1PreparedStatement[]) => primary.batch<T>(statements),
    withSession,
  };
  return { binding: binding as D1Database, replicate, served };
}

async function stateOf(primary: D1Database): Promise<string> {
  const session = primary.withSession("first-primary");
  await session.prepare("SELECT 1").all();
  return session.getBookmark() ?? "";
}

/** All that is stored of a table: without what the database derives by itself. */
async function selectStored(table: string): Promise<string> {
  const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info(?)")
    .bind(table)
    .all<{ name: string }>();
  return `SELECT ${results.map(({ name }) => `"${name}"`).join(", ")} FROM "${table}"`;
}
