/** Serves a Worker in a separate workerd with nothing in front of it, and measures its processor time. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { seedSql } from "../../sandbox/seed.ts";

const root = join(import.meta.dirname, "../../..");
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
/** The variables of development, which every Worker served here gets. */
export const bindings = workerOptions.bindings as Record<string, string>;

/** A Worker that answers until it is closed. */
export interface ServedWorker {
  url: URL;
  /** The process that serves it. */
  pid: number;
  database: D1Database;
  files: R2Bucket;
  /** The memory of the Worker's own isolate, with what is not collected yet, in bytes. */
  heapBytes(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Serves a Worker.
 * @param file its script, relative to the project.
 * @param options variables and rate limits that differ from development; `direct` leaves out the Worker
 *   that Miniflare puts in front, which parses requests itself. `onLog` gets each line that is logged.
 */
export async function serveWorker(
  file: string,
  {
    vars = {} as Record<string, unknown>,
    ratelimits = workerOptions.ratelimits,
    direct = false,
    onLog = (_line: string): void => undefined,
  } = {},
): Promise<ServedWorker> {
  const before = new Set(workerds());
  const server = new Miniflare(
    convertV4MiniflareOptions({
      // Logging still takes its time, but the lines are not shown.
      inspectorPort: 0,
      handleStructuredLogs: ({ message }: { message: string }) => onLog(message),
      workers: [
        {
          ...workerOptions,
          name: "measured",
          modules: [{ type: "ESModule", path: "worker.js", contents: read(file) }],
          bindings: { ...bindings, ...vars },
          ratelimits,
          queueConsumers: {},
          unsafeDirectSockets: [{}],
        },
      ],
    } as V4MiniflareOptions),
  );
  const front = await server.ready;
  const url = direct ? await server.unsafeGetDirectURL("measured") : front;
  const [pid] = workerds().filter((one) => !before.has(one));
  if (!pid) throw new Error("no workerd was started");
  const database = (await server.getD1Database("DB")) as unknown as D1Database;
  const files = (await server.getR2Bucket("RECORDINGS")) as unknown as R2Bucket;
  const heapBytes = await heapOf(await server.getInspectorURL());
  return { url, pid, database, files, heapBytes, close: () => server.dispose() };
}

async function heapOf(inspector: URL): Promise<() => Promise<number>> {
  const socket = new WebSocket(new URL("/core:user:measured", inspector));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return () =>
    new Promise((resolve) => {
      socket.addEventListener(
        "message",
        ({ data }) => {
          const { result } = JSON.parse(String(data));
          resolve(result.usedSize + result.embedderHeapUsedSize + result.backingStorageSize);
        },
        { once: true },
      );
      socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    });
}

/** Migrates a database and fills it with the demo users and their songs. */
export async function fill(database: D1Database): Promise<void> {
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  const scripts = files.sort().map((name) => read(`migrations/${name}`));
  for (const sql of [...scripts, seedSql("http://127.0.0.1:8788", Date.now())]) {
    for (const statement of unstable_splitSqlQuery(sql)) await database.prepare(statement).run();
  }
}

/** The processor time of a process so far, for its present threads, in milliseconds. */
export function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** The ids of the workerd processes started by this process. */
export function workerds(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, name, parent] =
          /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return name === "workerd" && parent === String(process.pid);
      } catch {
        // It has ended in the meantime.
        return false;
      }
    });
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
