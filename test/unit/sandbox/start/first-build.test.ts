import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { announceFirstBuild, waitForFirstBuild } from "../../../sandbox/start/first-build";

test("the build command waits for the first build once, and makes later builds itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-first-build-"));
  const file = join(folder, "first-build");
  announceFirstBuild(file, "running");
  let waited: boolean | null = null;
  const waiting = waitForFirstBuild(file).then((answer) => (waited = answer));
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(waited).toBeNull();
  announceFirstBuild(file, "done");
  await waiting;
  expect(waited).toBe(true);
  expect(existsSync(file)).toBe(false);
  expect(await waitForFirstBuild(file)).toBe(false);
  rmSync(folder, { recursive: true });
});
