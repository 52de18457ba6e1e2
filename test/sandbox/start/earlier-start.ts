/** The note about an earlier `npm start`: whether it still runs, and what has outlived it. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface StartNote {
  pid: number;
  /** The process group of wrangler and its workerds. */
  group: number;
  appOrigin: string;
}

interface Process {
  pid: number;
  group: number;
  command: string;
}

export function writeNote(stateDir: string, note: StartNote): void {
  writeFileSync(noteFile(stateDir), JSON.stringify(note));
}

export function removeNote(stateDir: string): void {
  rmSync(noteFile(stateDir), { force: true });
}

export function readNote(stateDir: string): StartNote | null {
  try {
    return JSON.parse(readFileSync(noteFile(stateDir), "utf8")) as StartNote;
  } catch {
    return null;
  }
}

/** What is left of a start. Commands are compared too, because process ids are reused. */
export function remainsOf(
  note: StartNote,
  root: string,
  processes: readonly Process[] = listProcesses(),
): "running" | "leftovers" | "nothing" {
  const itself = processes.find(({ pid }) => pid === note.pid);
  if (itself?.command.includes("test/sandbox/start.ts")) return "running";
  const leftovers = processes.some(
    ({ group, command }) => group === note.group && command.includes(join(root, "node_modules")),
  );
  return leftovers ? "leftovers" : "nothing";
}

/** Reads lines of `ps -A -o pid=,pgid=,args=`. */
export function readProcesses(text: string): Process[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, group, command = ""]) => ({
    pid: Number(pid),
    group: Number(group),
    command,
  }));
}

function listProcesses(): Process[] {
  const ps = spawnSync("ps", ["-A", "-o", "pid=,pgid=,args="], { encoding: "utf8" });
  return readProcesses(ps.stdout ?? "");
}

function noteFile(stateDir: string): string {
  return join(stateDir, "start.json");
}
