import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** What a command has printed, and how it has ended. */
interface Ended {
  output: string;
  code: number | null;
}

/** A command that runs until it is stopped. */
export interface Running {
  ended: Promise<Ended>;
  /** Resolves with the output once it has this in it. @throws Error if the command ends before. */
  prints(text: string): Promise<string>;
  /** Sends a signal to the command, or as the terminal does on Ctrl-C to all that it has started. */
  signal(signal: NodeJS.Signals, to: "itself" | "all"): void;
}

/** The project as it is after cloning it and `npm ci`, in a folder of its own. */
export interface Clone {
  folder: string;
  /** Runs a command as it is typed into a shell, to its end. */
  run(command: string, environment?: Record<string, string>): Promise<Ended>;
  /** Starts a command that does not end by itself. */
  start(command: string, environment?: Record<string, string>): Running;
  /** Ends what still runs, and deletes the folder. */
  remove(): void;
}

/** Clones the project with what has been changed but not committed. */
export function cloneProject(): Clone {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-clone-"));
  const files = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  const entries = new Set(files.split("\0").map((file) => file.split("/")[0] ?? ""));
  for (const entry of [...entries].filter((name) => name && existsSync(join(root, name)))) {
    // The one folder in which a build writes beside what is committed.
    const filter = entry === "public" && { filter: (path: string) => basename(path) !== "build" };
    cpSync(join(root, entry), join(folder, entry), { recursive: true, ...filter });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const started: Running[] = [];
  function start(command: string, environment: Record<string, string> = {}): Running {
    const running = runInShell(command, folder, environment);
    started.push(running);
    return running;
  }
  return {
    folder,
    start,
    run: (command, environment) => start(command, environment).ended,
    remove() {
      for (const running of started) running.signal("SIGKILL", "all");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function runInShell(command: string, cwd: string, environment: Record<string, string>): Running {
  const child = spawn(`exec ${command}`, {
    cwd,
    shell: true,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...ownEnvironment(), ...environment },
  });
  let output = "";
  const watchers: (() => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<Ended>((resolved) => {
    child.once("close", (code) => resolved({ output, code }));
  });
  return {
    ended,
    prints: (text) =>
      new Promise((found, failed) => {
        const watch = () => output.includes(text) && found(output);
        watchers.push(watch);
        watch();
        ended.then(() => failed(new Error(`${command} has ended:\n${output}`)));
      }),
    signal(signal, to) {
      if (!child.pid) return;
      try {
        process.kill(to === "all" ? -child.pid : child.pid, signal);
      } catch {
        // It has already ended.
      }
    },
  };
}

/** The environment of a shell outside npm, with the machine's own Node. */
function ownEnvironment(): Record<string, string> {
  const { PATH = "", ...others } = process.env;
  const kept = ["HOME", "USER", "LANG", "TMPDIR", "CHROMIUM_PATH"];
  const folders = PATH.split(delimiter).filter((folder) => !/node_modules|node-gyp/.test(folder));
  return {
    ...Object.fromEntries(kept.flatMap((name) => (others[name] ? [[name, others[name]]] : []))),
    PATH: folders.join(delimiter),
    WRANGLER_SEND_METRICS: "false",
  };
}

/** Runs git in a folder. @returns its output. */
export function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
