import { env } from "cloudflare:workers";

/** All rows of these tables, or of all but the counts, because refusals are counted. */
export async function contents(...named: string[]): Promise<Record<string, unknown[]>> {
  const tables = named.length > 0 ? named : await tablesBesideCounts();
  const results = await env.DB.batch(
    tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)),
  );
  const rows = results.map(({ results }) => (results as Record<string, unknown>[]).map(stored));
  return Object.fromEntries(tables.map((table, index) => [table, rows[index] ?? []]));
}

/** Without what the database computes, so that it can be written again. */
function stored({ own_mailbox: _computed, ...row }: Record<string, unknown>) {
  return row;
}

/** Reads all tables as one text in one statement, to compare two readings. */
export async function textReader(): Promise<() => Promise<string>> {
  const tables = await tablesBesideCounts();
  const columns = await env.DB.batch<{ name: string }>(
    tables.map((table) => env.DB.prepare("SELECT name FROM pragma_table_info(?)").bind(table)),
  );
  const texts = tables.map((table, index) => {
    const values = columns[index]?.results.map(({ name }) => `quote("${name}")`) ?? [];
    // In groups, because an expression is a hundred levels deep at most.
    const groups: string[] = [];
    while (values.length > 0) groups.push(`(${values.splice(0, 10).join(" || ',' || ")})`);
    return `(SELECT group_concat(${groups.join(" || ',' || ")}) FROM "${table}")`;
  });
  const reading = env.DB.prepare(`SELECT ${texts.join(", ")}`);
  return async () => JSON.stringify(await reading.raw());
}

async function tablesBesideCounts(): Promise<string[]> {
  return (await allTables()).filter((name) => name !== "daily_counts");
}

export async function allTables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table'
       AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

export async function emptyDatabase(): Promise<void> {
  const tables = await allTables();
  const isFilled = tables.map((name) => `EXISTS (SELECT 1 FROM "${name}") AS "${name}"`);
  const row = await env.DB.prepare(`SELECT ${isFilled.join(", ")}`).first<Record<string, 0 | 1>>();
  const filled = tables.filter((name) => row?.[name]);
  if (filled.length === 0) return;
  // What else is deleted leaves lines there.
  filled.push("file_deletions");
  await env.DB.batch([
    // Within a transaction, so that the order of the tables does not matter.
    env.DB.prepare("PRAGMA defer_foreign_keys = ON"),
    ...filled.map((name) => env.DB.prepare(`DELETE FROM "${name}"`)),
  ]);
}

export async function rowsOf(sql: string, ...values: (string | number)[]): Promise<unknown[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all();
  return results;
}

/** Makes writes to a table fail, as if the database failed in the middle of a batch. */
export async function whileWritesFail(
  write: "INSERT" | "UPDATE" | "DELETE",
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
