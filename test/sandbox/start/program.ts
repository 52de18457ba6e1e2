import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How long a program may take to end by itself. */
const END_LIMIT_MS = 5_000;
/** How long the last lines of an ended program may take to arrive. */
const LAST_LINES_MS = 500;
const PARENT_CHECK_MS = 1_000;

export interface Program {
  /** Leads its own process group, so that Ctrl-C in the terminal only reaches `npm start`. */
  pid: number;
  /** Resolves with the exit code, null after a signal, once the program and its output have ended. */
  ended: Promise<number | null>;
  end(): Promise<void>;
}

/** Runs Node with its own process group. */
export function runNode(
  args: string[],
  environment: NodeJS.ProcessEnv,
  onLine: (line: string) => void,
): Program {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: environment,
    detached: true,
  });
  const pid = child.pid ?? 0;
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on("line", onLine);
  }
  // workerd can outlive wrangler.
  child.once("exit", () => signalGroup(pid, "SIGKILL"));
  const ended = untilEnded(child);
  return {
    pid,
    ended,
    async end() {
      // Its process id may belong to another program by now.
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(pid, "SIGTERM");
      const late = setTimeout(() => signalGroup(pid, "SIGKILL"), END_LIMIT_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    if (group) process.kill(-group, signal);
  } catch {
    // It has already ended.
  }
}

function untilEnded(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => {
      child.once("close", () => resolve(code));
      // A process that outlives the program keeps its outputs open.
      setTimeout(resolve, LAST_LINES_MS, code);
    });
  });
}

/** Calls back once the process that started this one has ended. */
export function onParentGone(callback: () => unknown): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
}
