import type { Page } from "@playwright/test";
import { onDatabase } from "./local-database.ts";

/** Makes all logins of a musician two hours older, so that Spotify is asked again who it is. */
export function ageLogins(displayName: string): void {
  const aged = onDatabase((db) =>
    db
      .prepare(
        `UPDATE sessions SET created_at = created_at - 7200000
         WHERE user_id = (SELECT id FROM users WHERE display_name = ?)`,
      )
      .run(displayName),
  );
  if (aged.changes === 0) throw new Error(`${displayName} is not logged in`);
}

/** Agrees on Spotify's consent page, which the browser is at or is led to. */
export async function agreeAs(displayName: string, page: Page): Promise<void> {
  await page.getByRole("radio", { name: displayName, exact: true }).check();
  await page.getByRole("button", { name: "Agree" }).click();
}
