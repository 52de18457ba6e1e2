/**
 * Makes a generated database many times as large by copying its rows in SQL, which is far quicker than
 * writing them one by one: without indexes and triggers, which are made again at the end.
 */
import type { DatabaseSync } from "node:sqlite";

/** Columns that are keys, and get another ending in each copy. Those of users do if the user is copied. */
const keys = new Set([
  ...["id", "song_id", "mail_id", "subject_id", "package_id", "track_id", "spotify_id"],
  "own_recording_id",
  ...["request_key", "dedupe_key", "customer_id", "subscription_id", "address", "own_email"],
]);
const people = new Set(["user_id", "asked_by", "owner_id", "rater_id", "reporter_id"]);
/** Copies of songs are submitted one after the other. All else happens when it happened. */
const shifted = new Set(["created_at", "owed_since"]);
const tables = [
  ...["users", "sessions", "email_preferences", "mailed_proofs", "subscriptions"],
  ...["packages", "package_songs", "song_wishes", "reports", "recordings", "songs", "submissions"],
  ...["listens", "ratings", "activity_log", "outbox"],
];

/**
 * Copies the users given and everything that has to do with them and with the songs.
 * @param options `copied` are the ids of those users: what others (the cast) did is not copied, but for
 *   their songs. `copies` is how many times as many rows there are then; `shiftMs` lies between two.
 */
export function multiply(
  database: DatabaseSync,
  { copied, copies, shiftMs }: { copied: string[]; copies: number; shiftMs: number },
): void {
  const made = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
    )
    .all() as { type: string; name: string; sql: string }[];
  for (const { type, name } of made) database.exec(`DROP ${type} ${name}`);
  database.exec("CREATE TEMP TABLE copied (id TEXT PRIMARY KEY) WITHOUT ROWID");
  const insert = database.prepare("INSERT INTO copied VALUES (?)");
  for (const id of copied) insert.run(id);
  for (const table of tables) copyRows(database, table, copies, shiftMs);
  database.exec("DROP TABLE copied");
  for (const { sql } of made) database.exec(sql);
}

function copyRows(database: DatabaseSync, table: string, copies: number, shiftMs: number): void {
  const isCopied = (column: string) => `${column} IN (SELECT id FROM copied)`;
  const columns = (
    database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[]
  ).map(({ name }) => name);
  const isShifted = table === "songs" || table === "submissions";
  const values = columns.map((name) => {
    const ended = `"${name}" || '-' || n`;
    if (name === "listen_id") return `iif(${isCopied("rater_id")}, ${ended}, NULL)`;
    // Nobody of the cast has rated more songs for it; the account counts as deleted.
    if (name === "rater_id") return `iif(${isCopied(name)}, ${ended}, NULL)`;
    if (name === "active_at") {
      return `max(active_at, (created_at + n * ${shiftMs}) / 60000 * 60000)`;
    }
    if (people.has(name)) return `iif(${isCopied(name)}, ${ended}, ${name})`;
    // Only two songs of an owner stand in line.
    if (name === "line_since")
      return `iif(${isCopied("owner_id")}, line_since + n * ${shiftMs}, NULL)`;
    if (keys.has(name)) return ended;
    return isShifted && shifted.has(name) ? `${name} + n * ${shiftMs}` : `"${name}"`;
  });
  const person = columns.find((name) => name === "user_id") ?? (table === "users" ? "id" : null);
  database.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies - 1})
     INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")})
     SELECT ${values.join(", ")} FROM numbers CROSS JOIN (SELECT * FROM ${table})
     ${person ? `WHERE ${isCopied(person)}` : ""}`,
  );
}
