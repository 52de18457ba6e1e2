/** What a sandbox keeps across restarts: one JSON file with a section for each stand-in. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WRITE_DELAY_MS = 200;

export interface Store {
  load(section: string): unknown;
  register(section: string, snapshot: () => unknown): void;
  changed(): void;
  close(): void;
}

/** Opens `<stateDir>/sandbox.json`; without a directory nothing is kept. */
export function openStore(stateDir?: string): Store {
  const path = stateDir === undefined ? null : join(stateDir, "sandbox.json");
  const snapshots = new Map<string, () => unknown>();
  const saved = path === null ? {} : read(path);
  let timer: NodeJS.Timeout | null = null;

  function write(): void {
    timer = null;
    if (path === null) return;
    const content = Object.fromEntries([...snapshots].map(([name, take]) => [name, take()]));
    // Written to another file and renamed, so that a killed process leaves one complete file.
    writeFileSync(`${path}.tmp`, JSON.stringify(content));
    renameSync(`${path}.tmp`, path);
  }

  if (stateDir !== undefined) mkdirSync(stateDir, { recursive: true });
  return {
    load: (section) => saved[section] ?? null,
    register: (section, snapshot) => void snapshots.set(section, snapshot),
    changed() {
      if (path !== null && timer === null) timer = setTimeout(write, WRITE_DELAY_MS);
    },
    close() {
      if (timer === null) return;
      clearTimeout(timer);
      write();
    },
  };
}

function read(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}
