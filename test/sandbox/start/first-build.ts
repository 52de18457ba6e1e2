/**
 * Decides between `npm start` and wrangler's build command, who builds first: a file says "running" before
 * wrangler starts and "done" after the build. The command waits for it once and removes it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const POLL_MS = 20;

export function announceFirstBuild(file: string, state: "running" | "done"): void {
  writeFileSync(file, state);
}

/** Waits until the first build is done. @returns false immediately if it has been waited for before. */
export async function waitForFirstBuild(file: string): Promise<boolean> {
  for (;;) {
    const state = read(file);
    if (state === null) return false;
    if (state === "done") {
      rmSync(file);
      return true;
    }
    await wait(POLL_MS);
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
