import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { prepareDatabase } from "../../../sandbox/start/database";
import { findViolations } from "../../../support/database/invariants";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "fivefold-state-"));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

function open(): DatabaseSync {
  const file = readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("D1DatabaseObject") && name.endsWith(".sqlite"))
    .find((name) => !name.endsWith("metadata.sqlite"));
  if (!file) throw new Error("there is no database");
  return new DatabaseSync(join(stateDir, file));
}

function count(db: DatabaseSync, table: string): number {
  return Number(db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows);
}

/** Each start of workerd takes a second or more on a busy machine. */
const timeout = 30_000;

test("a new database is migrated, and each migration is recorded as by wrangler", {
  timeout,
}, async () => {
  await prepareDatabase({ stateDir });
  const db = open();
  const names = db.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  expect(names.map(({ name }) => name)).toEqual(files.sort());
  expect(count(db, "users")).toBe(0);
  db.exec(
    "INSERT INTO users (id, spotify_id, display_name, created_at, updated_at) VALUES ('a', 'b', 'Dana', 1, 1)",
  );
  db.close();

  // Somebody has logged in by now, so no demo users are added.
  const log = vi.spyOn(console, "log").mockReturnValue();
  await prepareDatabase({ stateDir, sandboxOrigin: "http://127.0.0.1:8788" });
  expect(log).toHaveBeenCalledWith(expect.stringContaining("had users already"));
  log.mockRestore();
  const after = open();
  expect([count(after, "users"), count(after, "songs")]).toEqual([1, 0]);
  after.close();
});

test("the database is seeded once, and deleted rows stay deleted", { timeout }, async () => {
  const options = { stateDir, sandboxOrigin: "http://127.0.0.1:8788" };
  await prepareDatabase(options);
  const db = open();
  expect(await findViolations(db)).toEqual([]);
  expect(count(db, "songs")).toBeGreaterThan(100);
  db.exec("DELETE FROM ratings");
  db.close();
  await prepareDatabase(options);
  const again = open();
  expect(count(again, "ratings")).toBe(0);
  again.close();
});
