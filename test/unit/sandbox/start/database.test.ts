import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { prepareDatabase } from "../../../sandbox/start/database";
import { databasesAt } from "../../../support/database/local-databases";

test("a database is migrated as by wrangler, and not seeded once somebody has logged in", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "fivefold-state-"));
  await prepareDatabase({ stateDir });
  const db = new DatabaseSync(databasesAt(stateDir)[0] ?? "");
  const names = db.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  expect(names.map(({ name }) => name)).toEqual(files.sort());
  db.exec(
    "INSERT INTO users (id, spotify_id, display_name, created_at, updated_at) VALUES ('a', 'b', 'Dana', 1, 1)",
  );

  const log = vi.spyOn(console, "log").mockReturnValue();
  await prepareDatabase({ stateDir, sandboxOrigin: "http://127.0.0.1:8788" });
  expect(log).toHaveBeenCalledWith(expect.stringContaining("had users already"));
  expect(db.prepare("SELECT id FROM users").all()).toHaveLength(1);
  db.close();
  rmSync(stateDir, { recursive: true });
});
