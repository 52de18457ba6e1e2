import type { Row } from "../../sandbox/rows.ts";

/** Where wrangler lets a local database be asked, as Cloudflare's API does. */
const databases = `${process.env.E2E_ORIGIN}/cdn-cgi/local/explorer/api/d1/database`;

interface Statement {
  sql: string;
  params: string[];
}

let address: Promise<string> | null = null;

async function findDatabase(): Promise<string> {
  const { result: found } = (await (await fetch(databases)).json()) as {
    result: { uuid: string }[];
  };
  const [database, ...more] = found;
  if (!database || more.length > 0) throw new Error("not one database");
  return `${databases}/${database.uuid}/raw`;
}

async function send(body: Statement | { batch: Statement[] }): Promise<unknown[]> {
  address ??= findDatabase();
  const answer = await fetch(await address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the database answers ${answer.status} ${await answer.text()}`);
  const { result } = (await answer.json()) as { result: { results: { rows: unknown[] } }[] };
  return result[0]?.results.rows ?? [];
}

/**
 * Runs a statement where the app runs its own. The database's file is not for writing from outside: as
 * long as that holds its lock, whatever the app does meanwhile fails.
 * @returns the rows.
 */
export function onDatabase(sql: string, params: string[]): Promise<unknown[]> {
  return send({ sql, params });
}

/** Inserts rows, in one transaction. Those of a table have the same columns. */
export async function writeRows(tables: Record<string, Row[]>): Promise<void> {
  const batch = Object.entries(tables).flatMap(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {});
    if (columns.length === 0) return [];
    const values = columns.map((column) => `value ->> '${column}'`).join(", ");
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values} FROM json_each(?)`;
    return [{ sql, params: [JSON.stringify(rows)] }];
  });
  if (batch.length > 0) await send({ batch });
}
