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

/** As if a musician had always come in by e-mail: their account and their logins know nothing of Spotify. */
export async function forgetSpotify({ userId }: Musician): Promise<void> {
  const address = `${userId}@mail.example`;
  const confirmation = `INSERT INTO mailed_proofs (id, kind, asked_by, address,
    created_at, expires_at, used_at) VALUES (?, 'confirmation', ?, ?, 1, 3, 2)`;
  await onDatabase(confirmation, [`by-mail-${userId}`, userId, address]);
  const account = "UPDATE users SET own_email = ?, email = NULL, spotify_id = NULL WHERE id = ?";
  await onDatabase(account, [address, userId]);
  const logins = `UPDATE sessions SET way = 'email', client_id = NULL, access_token = NULL,
    refresh_token = NULL, token_expires_at = NULL WHERE user_id = ?`;
  await onDatabase(logins, [userId]);
}
