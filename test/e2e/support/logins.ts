import type { Page } from "@playwright/test";

/** Where wrangler lets a local database be asked, as Cloudflare's API does. */
const databases = "/cdn-cgi/local/explorer/api/d1/database";

/** Makes all logins of a musician two hours older, so that Spotify is asked again who it is. */
export async function ageLogins(displayName: string): Promise<void> {
  const sql = `UPDATE sessions SET created_at = created_at - 7200000
    WHERE user_id = (SELECT id FROM users WHERE display_name = ?) RETURNING id`;
  const aged = await ask(sql, [displayName]);
  if (aged.length === 0) throw new Error(`${displayName} is not logged in`);
}

/**
 * Runs a statement where the app runs its own. The database's file is not for writing from outside: as
 * long as that holds its lock, whatever the app does meanwhile fails.
 * @returns the rows.
 */
async function ask(sql: string, params: string[]): Promise<unknown[]> {
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

/** Agrees on Spotify's consent page, which the browser is at or is led to. */
export async function agreeAs(displayName: string, page: Page): Promise<void> {
  await page.getByRole("radio", { name: displayName, exact: true }).check();
  await page.getByRole("button", { name: "Agree" }).click();
}
