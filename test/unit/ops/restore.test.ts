import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { orderExport } from "../../../.ops/order-export";
import { prepareDatabase } from "../../sandbox/start/database";
import { findViolations } from "../../support/database/invariants";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fivefold-restore-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A separate project with its own database, because an export can only read from a project's folder. */
function makeProject(name: string): string {
  const project = join(folder, name);
  cpSync("migrations", join(project, "migrations"), { recursive: true });
  cpSync("wrangler.toml", join(project, "wrangler.toml"));
  return project;
}

/** Runs `wrangler d1`. Throws an error with its output if it fails. */
async function d1(project: string, ...args: string[]): Promise<void> {
  const config = ["--config", join(project, "wrangler.toml")];
  await promisify(execFile)("wrangler", ["d1", ...args, "--local", ...config], {
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
    maxBuffer: 10 * 1024 * 1024,
    shell: process.platform === "win32",
  });
}

/** Opens the database of a project. */
function open(project: string): DatabaseSync {
  const file = readdirSync(join(project, ".wrangler"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("D1DatabaseObject") && name.endsWith(".sqlite"))
    .find((name) => !name.endsWith("metadata.sqlite"));
  return new DatabaseSync(join(project, ".wrangler", file ?? ""));
}

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

test("an export of a seeded database restores all rows into an empty one", async () => {
  const before = makeProject("before");
  const stateDir = join(before, ".wrangler");
  await prepareDatabase({ stateDir, sandboxOrigin: "http://127.0.0.1:8788" });
  const seeded = open(before);
  seeded.exec(awkward);
  seeded.close();
  const exported = join(folder, "export.sql");
  await d1(before, "export", "DB", "--output", exported);

  const after = makeProject("after");
  const ordered = join(folder, "ordered.sql");
  writeFileSync(ordered, orderExport(readFileSync(exported, "utf8")));
  await d1(after, "execute", "DB", "--yes", "--file", ordered);

  const restored = open(after);
  const contents = contentsOf(restored);
  expect(contents).toEqual(contentsOf(open(before)));
  expect(contents.ratings?.length).toBeGreaterThan(100);
  expect(await findViolations(restored)).toEqual([]);
  expect(contents.d1_migrations?.length).toBeGreaterThan(0);
}, 120_000);

test("tables and indexes come first and triggers last, and quoted text is mistaken for neither", () => {
  const row = "INSERT INTO a VALUES('x;\nCREATE TABLE b(y);\n''--', \"q;\", `r;`);";
  const trigger = "CREATE TRIGGER t BEFORE INSERT ON a\nBEGIN\n  SELECT 'CREATE TABLE;';\nEND;";
  const rest = ["CREATE TABLE a(x);", "CREATE UNIQUE INDEX i ON a(x);", "CREATE INDEX j ON a(x);"];
  const [table = "", ...indexes] = rest;
  const exported = ["PRAGMA defer_foreign_keys=TRUE;", table, row, ...indexes, trigger].join("\n");
  expect(orderExport(exported).replace(/\s+/g, " ")).toBe(
    `${["PRAGMA defer_foreign_keys=TRUE;", ...rest, row, trigger].join(" ").replace(/\s+/g, " ")} `,
  );
});
