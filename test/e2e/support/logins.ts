import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { databasesAt } from "../../support/database/local-databases.ts";

/** Makes all logins of a musician two hours older, so that Spotify is asked again who it is. */
export function ageLogins(displayName: string): void {
  const [file, ...more] = databasesAt(process.env.E2E_STATE_DIR ?? "");
  if (!file || more.length > 0) throw new Error("not one database");
  const db = new DatabaseSync(file, { timeout: 5000 });
  const aged = db
    .prepare(
      `UPDATE sessions SET created_at = created_at - 7200000
       WHERE user_id = (SELECT id FROM users WHERE display_name = ?)`,
    )
    .run(displayName);
  db.close();
  if (aged.changes === 0) throw new Error(`${displayName} is not logged in`);
}

/** Agrees on Spotify's consent page, which the browser is at or is led to. */
export async function agreeAs(displayName: string, page: Page): Promise<void> {
  await page.getByRole("radio", { name: displayName, exact: true }).check();
  await page.getByRole("button", { name: "Agree" }).click();
}
