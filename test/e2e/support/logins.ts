import { accountIdOf } from "../../sandbox/catalogue.ts";
import { onDatabase } from "./local-database.ts";
import type { Musician } from "./musician.ts";

/** Makes all logins of a musician two hours older, so that Spotify is asked again who it is. */
export async function ageLogins({ id, displayName }: Musician): Promise<void> {
  const sql = `UPDATE sessions SET created_at = created_at - 7200000
    WHERE user_id = (SELECT id FROM users WHERE spotify_id = ?) RETURNING id`;
  const aged = await onDatabase(sql, [accountIdOf(id)]);
  if (aged.length === 0) throw new Error(`${displayName} is not logged in`);
}

/** Ends all logins of a musician, without a word to the browser. */
export async function endLogins({ userId }: Musician): Promise<void> {
  await onDatabase("DELETE FROM sessions WHERE user_id = ?", [userId]);
}
