/** The stand-ins alone with a bare `npx wrangler dev`, and backing up the database that this makes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Row } from "../sandbox/rows";
import { seedSql } from "../sandbox/seed";
import { findViolations } from "../support/database/invariants";
import { databasesAt } from "../support/database/local-databases";
import { freePorts } from "../support/free-ports";
import { type Clone, cloneProject } from "./clone";

let clone: Clone;
let database: string;
let health: unknown;
let frontPage: string;

beforeAll(async () => {
  clone = cloneProject();
  const [port, sandboxPort] = await freePorts(2);
  const sandbox = clone.start("npm run sandbox", { SANDBOX_PORT: `${sandboxPort}` });
  const wrangler = clone.start(`npx wrangler dev --port ${port}`);
  await sandbox.prints(`The stand-ins are at http://127.0.0.1:${sandboxPort}`);
  frontPage = await (await fetch(`http://127.0.0.1:${sandboxPort}/`)).text();
  await wrangler.prints("Ready on");
  health = await (await fetch(`http://127.0.0.1:${port}/health`)).json();
  for (const one of [sandbox, wrangler]) {
    one.signal("SIGINT", "all");
    await one.ended;
  }
  [database = ""] = databasesAt(join(clone.folder, ".wrangler"));
});
afterAll(() => clone.remove());

test("npm run sandbox and npx wrangler dev serve the stand-ins and the app", () => {
  expect(frontPage).toContain("Stand-ins for the outside services");
  expect(health).toMatchObject({ ok: true });
});

/** Rows that a restore may fail on: a rating whose listen was purged, and text that looks like SQL. */
const awkward = `
  DELETE FROM listens WHERE id = (SELECT min(listen_id) FROM ratings);
  INSERT INTO outbox (id, mail_id, user_id, kind, subject_id, dedupe_key, created_at, state, fault,
    html)
  SELECT 'm', 'm', id, 'past_due', 'c', 'k', 0, 'failed', '422', 'It''s ''quoted'';
CREATE TABLE users (x); -- no comment
"half a quote; \`another
PRAGMA foreign_keys = OFF;
🎵' FROM users LIMIT 1;
`;

test("an export loads into an empty database after npm run order-export", async () => {
  const seeded = new DatabaseSync(database);
  seeded.exec(seedSql("http://127.0.0.1:8788", Date.now()));
  seeded.exec(awkward);
  const exporting = await clone.run("npx wrangler d1 export DB --local --output fivefold.sql");
  expect(exporting.code, exporting.output).toBe(0);
  const ordering = await clone.run("npm run order-export fivefold.sql ordered.sql");
  expect(ordering.code, ordering.output).toBe(0);

  const restored = new DatabaseSync(":memory:");
  // D1 runs a file in one transaction.
  restored.exec(`BEGIN;${readFileSync(join(clone.folder, "ordered.sql"), "utf8")};COMMIT;`);
  const contents = contentsOf(restored);
  expect(contents).toEqual(contentsOf(seeded));
  expect(contents.ratings?.length).toBeGreaterThan(100);
  expect(contents.d1_migrations?.length).toBeGreaterThan(0);
  expect(await findViolations(restored)).toEqual([]);
});

test("npm run rebuild-figures counts thirty days again, and what was not counted then stays", async () => {
  const db = new DatabaseSync(database);
  const dayMs = 24 * 60 * 60 * 1000;
  const at = Date.now() - 3 * dayMs;
  const day = new Date(at).toISOString().slice(0, 10);
  db.exec(`
    INSERT INTO users (id, spotify_id, display_name, created_at, updated_at)
      VALUES ('dana', 'dana', 'Dana', 1, 1);
    INSERT INTO activity_log (id, kind, user_id, created_at) VALUES ('l', 'login', 'dana', ${at});
    INSERT OR REPLACE INTO daily_stats (day, logins, listens, ratings, passes, submissions, owed,
      empty_visits, mails_sent, mails_failed, jobs_failed, written_at)
      VALUES ('${day}', 7, 7, 7, 7, 7, 77, 7, 7, 7, 7, 1);
  `);
  const figures = () =>
    db.prepare("SELECT * FROM daily_stats ORDER BY day DESC LIMIT 30").all() as Row[];
  const counted: Row[][] = [];
  for (let time = 1; time <= 2; time += 1) {
    const { output, code } = await clone.run("npm run rebuild-figures");
    expect(code, output).toBe(0);
    expect(output).toMatch(/Counted again: [\d-]{10} to [\d-]{10}\./);
    counted.push(figures().map(({ written_at: _at, ...row }) => row));
  }
  const [once, twice] = counted;
  expect(twice).toEqual(once);
  expect(once).toHaveLength(30);
  expect(once?.find((row) => row.day === day)).toMatchObject({
    logins: 1,
    mails_sent: 0,
    owed: 77,
  });
  db.close();
});

/** Everything in a database: its schema and its rows. */
function contentsOf(db: DatabaseSync): Record<string, unknown[]> {
  const made = db
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema
       WHERE name NOT LIKE '_cf_%' AND sql IS NOT NULL ORDER BY type, name`,
    )
    .all();
  const tables = made.filter(({ type }) => type === "table").map(({ name }) => String(name));
  return Object.fromEntries([
    ["", made],
    ...tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all()]),
  ]);
}
