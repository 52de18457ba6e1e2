import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { seedSql } from "../../sandbox/seed.ts";
import { findViolations } from "../../support/database/invariants";
import { migratedDatabase } from "../migrated-database.ts";

const readme = readFileSync(".ops/README.md", "utf8");

/** The SQL that an operator runs after a restore, with this id of a deleted account in it. */
function pasted(id = "ID"): string {
  const [, sql = ""] = /```sql\n([^`]*)```/.exec(readme) ?? [];
  return sql.replaceAll("'ID'", `'${id}'`);
}

function seededDatabase(): DatabaseSync {
  const db = migratedDatabase();
  db.exec(seedSql("http://127.0.0.1:8788", Date.UTC(2026, 0, 15)));
  return db;
}

/** The first column of a query's only row. */
function valueIn(db: DatabaseSync, query: string): unknown {
  return Object.values(db.prepare(query).get() ?? {})[0];
}

test("every statement for the operator fits the schema", () => {
  const db = seededDatabase();
  const code = [...readme.matchAll(/```sql\n([^`]*)```|`((?:SELECT|UPDATE|DELETE) [^`]*)`/g)];
  const statements = code.flatMap(([, block, inline = ""]) => (block ?? inline).split(/;[^\n]*/));
  // `fivefold` is a data set of Analytics Engine, not a table.
  const ours = statements.filter((text) => text.trim() && !text.includes("FROM fivefold"));
  expect(ours.length).toBeGreaterThan(4);
  for (const statement of ours) expect(() => db.prepare(statement), statement).not.toThrow();
});

test("a restore ends the logins, wishes and mails that were under way", async () => {
  const db = seededDatabase();
  const mails = `INSERT INTO outbox
    (id, mail_id, user_id, kind, subject_id, dedupe_key, created_at, state, fault, html)`;
  db.exec(`
    INSERT INTO sessions (id, user_id, way, client_id, access_token, refresh_token, token_expires_at,
      created_at, last_seen_at, expires_at) SELECT 's', id, 'spotify', 'c', 'a', 'r', 1, 1, 1, 1 FROM users LIMIT 1;
    INSERT INTO song_wishes (id, user_id, asked_at, looked_at) SELECT 'w', id, 1, 1 FROM users LIMIT 1;
    ${mails} SELECT 'new', NULL, id, 'past_due', 'c', 'k1', 0, 'pending', NULL, NULL FROM users LIMIT 1;
    ${mails} SELECT 'tried', 'tried', id, 'past_due', 'c', 'k2', 0, 'pending', NULL, 'x' FROM users LIMIT 1;
    ${mails} SELECT 'lost', 'lost', id, 'past_due', 'c', 'k3', 0, 'failed', '422', 'x' FROM users LIMIT 1;
  `);
  db.exec(pasted());
  expect(valueIn(db, "SELECT count(*) FROM sessions")).toBe(0);
  expect(valueIn(db, "SELECT count(*) FROM song_wishes")).toBe(0);
  expect(
    valueIn(
      db,
      "SELECT group_concat(id || state ORDER BY created_at, rowid) FROM outbox WHERE id IN ('new', 'tried', 'lost')",
    ),
  ).toBe("newskipped,triedskipped,lostfailed");
  expect(await findViolations(db)).toEqual([]);
});

test("a deleted account takes its songs along, and who rated them keeps the credit", async () => {
  const db = seededDatabase();
  const rated = "SELECT owner_id FROM ratings GROUP BY 1 ORDER BY count(*) DESC LIMIT 1";
  const id = String(valueIn(db, rated));
  const ofTheirs = `(SELECT id FROM songs WHERE owner_id = '${id}')`;
  const received = valueIn(
    db,
    `SELECT count(*) FROM ratings WHERE round_id IS NULL AND song_id IN ${ofTheirs}`,
  );
  expect(received).toBeGreaterThan(1);
  db.exec(pasted(id));
  expect(valueIn(db, `SELECT count(*) FROM users WHERE id = '${id}'`)).toBe(0);
  expect(valueIn(db, `SELECT count(*) FROM songs WHERE owner_id = '${id}'`)).toBe(0);
  expect(valueIn(db, "SELECT sum(rated_withdrawn) FROM users")).toBe(received);
  expect(await findViolations(db)).toEqual([]);
});
