/**
 * How `npm start` and the build command of its wrangler agree on who builds first. A file says
 * "running" before wrangler starts and "done" once app and database are ready. The command that has
 * waited for it removes it. A command that finds no file builds by itself.
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
