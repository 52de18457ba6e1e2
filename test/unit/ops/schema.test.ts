import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

test("every change of app/db/schema.ts has its migration", () => {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-schema-"));
  try {
    cpSync("migrations", folder, { recursive: true });
    const before = readdirSync(folder);
    // drizzle-kit does not accept absolute paths.
    const out = relative(process.cwd(), folder);
    const run = spawnSync(
      "drizzle-kit",
      ["generate", "--dialect", "sqlite", "--schema", "./app/db/schema.ts", "--out", out],
      { encoding: "utf8", shell: process.platform === "win32" },
    );
    expect(run.stdout + run.stderr).toContain("No schema changes");
    expect(readdirSync(folder)).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);
