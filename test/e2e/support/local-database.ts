/** Where wrangler lets a local database be asked, as Cloudflare's API does. */
const databases = "/cdn-cgi/local/explorer/api/d1/database";

/** The user of this display name: where a test is tried again, the one of the last try. */
export const userNamed =
  "(SELECT id FROM users WHERE display_name = ? ORDER BY created_at DESC LIMIT 1)";

/**
 * Runs a statement where the app runs its own. The database's file is not for writing from outside: as
 * long as that holds its lock, whatever the app does meanwhile fails.
 * @returns the rows.
 */
export async function onDatabase(sql: string, params: string[]): Promise<unknown[]> {
  const base = `${process.env.E2E_ORIGIN}${databases}`;
  const { result: found } = (await (await fetch(base)).json()) as { result: { uuid: string }[] };
  const [database, ...more] = found;
  if (!database || more.length > 0) throw new Error("not one database");
  const answer = await fetch(`${base}/${database.uuid}/raw`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sql, params }),
  });
  if (!answer.ok) throw new Error(`the database answers ${answer.status} ${await answer.text()}`);
  const { result } = (await answer.json()) as { result: { results: { rows: unknown[] } }[] };
  return result[0]?.results.rows ?? [];
}
