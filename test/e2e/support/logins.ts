import { onDatabase, userNamed } from "./local-database.ts";

/** Makes all logins of a musician two hours older, so that Spotify is asked again who it is. */
export async function ageLogins(displayName: string): Promise<void> {
  const sql = `UPDATE sessions SET created_at = created_at - 7200000
    WHERE user_id = ${userNamed} RETURNING id`;
  const aged = await onDatabase(sql, [displayName]);
  if (aged.length === 0) throw new Error(`${displayName} is not logged in`);
}
