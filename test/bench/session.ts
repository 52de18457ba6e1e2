import { createHash, randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/cloudflare";
import { type Row, sessionRow } from "../sandbox/rows.ts";

/**
 * Creates a session for a user, as the app would. Without `tokens` it has no valid Spotify tokens.
 * @param tokens the columns with the encrypted tokens of a session with this id.
 * @returns the Cookie header.
 */
export async function sessionFor(
  database: D1Database,
  userId: string,
  secret: string,
  {
    begunAt = Date.now(),
    tokens = async () => ({}),
  }: { begunAt?: number; tokens?: (sessionId: string) => Promise<Row> } = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const id = createHash("sha256").update(token).digest("base64url");
  const about = { id, user_id: userId, created_at: begunAt, device: "Chrome on Windows" };
  const row = sessionRow({ ...about, ...(await tokens(id)) });
  await database
    .prepare(
      `INSERT INTO sessions (${Object.keys(row).join(", ")})
       VALUES (${Object.keys(row)
         .map(() => "?")
         .join(", ")})`,
    )
    .bind(...Object.values(row))
    .run();
  const cookie = createCookie("__Host-session", { secrets: [secret] });
  return (await cookie.serialize(token)).split(";")[0] ?? "";
}
