/** The commands of the READMEs that need neither a running product nor an account. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Clone, cloneProject } from "./clone";

let clone: Clone;
beforeAll(() => {
  clone = cloneProject();
});
afterAll(() => clone.remove());

/** Runs a command that has to succeed. @returns its output. */
async function succeed(command: string): Promise<string> {
  const { output, code } = await clone.run(command);
  expect(code, output).toBe(0);
  return output;
}

describe.concurrent("in a clone", () => {
  test("npm run db:generate finds a migration for every change of app/db/schema.ts", async () => {
    expect(await succeed("npm run db:generate")).toContain("No schema changes");
  });

  test("npm run icons draws every icon in its size", async () => {
    const sizes = {
      "apple-touch-icon.png": 180,
      "icon-192.png": 192,
      "icon-512.png": 512,
      "icon-maskable-512.png": 512,
      "social.png": 1200,
    };
    const files = Object.keys(sizes).map((name) => join(clone.folder, "public", name));
    for (const file of files) rmSync(file);
    await succeed("npm run icons");
    // The width stands in the first chunk of a PNG.
    const widths = files.map((file) => readFileSync(file).readUInt32BE(16));
    expect(widths).toEqual(Object.values(sizes));
  });

  test("npm run pictures takes every picture that the README shows, none too large", async () => {
    const shown = readFileSync("README.md", "utf8").match(/(?<=\()\.pictures\/[^)]+/g) ?? [];
    rmSync(join(clone.folder, ".pictures"), { recursive: true });
    const output = await succeed("npm run pictures");
    expect(shown.length).toBeGreaterThan(0);
    for (const picture of shown) {
      expect(output).toContain(picture);
      expect(readFileSync(join(clone.folder, picture)).subarray(8, 12).toString()).toBe("WEBP");
    }
  });

  test("npm run rebuild-figures goes to the database that it is given, and tells why it fails", async () => {
    const failure = { code: 1, stderr: "no such table: daily_stats\n" };
    const { output, code } = await clone.run(
      "npm run rebuild-figures -- --remote --env production",
      {
        WRANGLER_ANSWERS: JSON.stringify({ "d1 execute DB --remote --env production": failure }),
        npm_config_script_shell: join(import.meta.dirname, "stand-ins/shell"),
      },
    );
    expect(code).toBe(1);
    expect(output).toContain("no such table: daily_stats");
  });

  test("npm run format finds nothing to do in a file", async () => {
    expect(await succeed("npm run format -- app/root.tsx")).toContain("No fixes applied");
  });

  test("npm run test:properties tries other cases", async () => {
    expect(await succeed("npm run test:properties -- db/settled")).toContain("2 passed");
  });

  test("npm run test:mutation begins with tests that pass", async () => {
    const command = "npm run test:mutation -- --mutate app/exchange/pool/draw.ts";
    const output = await succeed(`${command} --dryRunOnly --concurrency 1`);
    expect(output).toContain("Initial test run succeeded");
  });
});
