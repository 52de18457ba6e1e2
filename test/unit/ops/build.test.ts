import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Longer than the second between two pings of esbuild's service. */
const lateExit = `process.on("exit", () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1300);
});`;

test("a build does not upset esbuild's service, however long the process takes to end", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-build-"));
  const preload = join(folder, "late-exit.cjs");
  writeFileSync(preload, lateExit);
  try {
    const args = ["--require", preload, ".ops/build.ts", "test/bench/bare"];
    // Nothing else waits for the service, which writes to the same output; this waits for both to end.
    const { stdout, stderr } = await promisify(execFile)("node", args);
    expect(`${stdout}${stderr}`).not.toContain("deadlock");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
