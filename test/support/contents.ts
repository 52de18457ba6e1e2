import { env } from "cloudflare:workers";

/** All rows of these tables, for saying that nothing changed. */
export async function contents(...tables: string[]): Promise<Record<string, unknown[]>> {
  const results = await env.DB.batch(
    tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} ORDER BY id`)),
  );
  return Object.fromEntries(tables.map((table, index) => [table, results[index]?.results ?? []]));
}

/** The rows of a query. */
export async function rowsOf(sql: string, ...values: (string | number)[]): Promise<unknown[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all();
  return results;
}

/**
 * Lets writes to a table fail while something runs, as a database that breaks in the middle of a
 * batch would.
 */
export async function whileWritesFail(
  write: "INSERT" | "UPDATE",
  table: string,
  run: () => Promise<void>,
): Promise<void> {
  await env.DB.prepare(
    `CREATE TRIGGER broken BEFORE ${write} ON ${table} BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  ).run();
  try {
    await run();
  } finally {
    await env.DB.prepare("DROP TRIGGER broken").run();
  }
}
