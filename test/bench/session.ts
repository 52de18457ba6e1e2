import { createHash, randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/cloudflare";

const day = 24 * 60 * 60 * 1000;

/**
 * Creates a session for a user, as the app would, but without valid Spotify tokens.
 * @returns the Cookie header.
 */
export async function sessionFor(
  database: D1Database,
  userId: string,
  secret: string,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const id = createHash("sha256").update(token).digest("base64url");
  const now = Date.now();
  await database
    .prepare(
      `INSERT INTO sessions (id, user_id, client_id, access_token, refresh_token, token_expires_at,
         created_at, last_seen_at, expires_at) VALUES (?, ?, 'sandbox-client-a', '', '', ?, ?, ?, ?)`,
    )
    .bind(id, userId, now + day, now, now, now + day)
    .run();
  const cookie = createCookie("__Host-session", { secrets: [secret] });
  return (await cookie.serialize(token)).split(";")[0] ?? "";
}
