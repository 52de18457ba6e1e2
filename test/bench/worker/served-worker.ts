/** Serves a Worker in a separate workerd with nothing in front of it, and measures its processor time. */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCookie } from "@remix-run/cloudflare";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { type Row, sessionRow } from "../../sandbox/rows.ts";
import { seedSql } from "../../sandbox/seed.ts";

export const root = join(import.meta.dirname, "../../..");
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
/** The variables of development, which every Worker served here gets. */
export const bindings = workerOptions.bindings as Record<string, string>;

/** So that every request gets as far as possible. */
export const unlimited = Object.fromEntries(
  ["LIMIT_LOGIN", "LIMIT_STRICT", "LIMIT_NORMAL", "LIMIT_WIDE"].map((name, index) => [
    name,
    { namespace_id: String(index + 1), simple: { limit: 1_000_000_000, period: 60 as const } },
  ]),
);

/** A Worker that answers until it is closed. */
export interface ServedWorker {
  url: URL;
  /** The process that serves it. */
  pid: number;
  server: Miniflare;
  database: D1Database;
  close(): Promise<void>;
}

interface Options {
  /** Variables that differ from development. */
  vars?: Record<string, unknown>;
  /** Leaves out the Worker that Miniflare puts in front, which parses requests itself. */
  direct?: boolean;
  /** Gets each line that is logged. */
  onLog?: (line: string) => void;
  /** More of Miniflare's options, and of those of its Worker. */
  shared?: object;
  worker?: object;
}

/** Serves a Worker, given by its script. Queued messages are not delivered. */
export async function serveScript(contents: string, options: Options = {}): Promise<ServedWorker> {
  const { vars = {}, direct = false, onLog, shared = {}, worker = {} } = options;
  const before = workerds();
  const server = new Miniflare(
    convertV4MiniflareOptions({
      // Logging still takes its time, but the lines are not shown.
      handleStructuredLogs: ({ message }: { message: string }) => onLog?.(message),
      workers: [
        {
          ...workerOptions,
          name: "measured",
          modulesRoot: root,
          modules: [{ type: "ESModule", path: join(root, "worker.js"), contents }],
          bindings: { ...bindings, ...vars },
          queueConsumers: {},
          unsafeDirectSockets: [{}],
          ...worker,
        },
      ],
      ...shared,
    } as V4MiniflareOptions),
  );
  const front = await server.ready;
  const url = direct ? await server.unsafeGetDirectURL("measured") : front;
  const pid = workerds().find((one) => !before.includes(one));
  if (!pid) throw new Error("no workerd was started");
  const database = (await server.getD1Database("DB")) as unknown as D1Database;
  return { url, pid, server, database, close: () => server.dispose() };
}

/** @param file relative to the project. */
export function serveWorker(file: string, options?: Options): Promise<ServedWorker> {
  return serveScript(read(file), options);
}

/** The SQL of all migrations, in order. */
export function migrations(): string[] {
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  return files.sort().map((name) => read(`migrations/${name}`));
}

/** Migrates a database and fills it with the demo users and their songs. @returns a cookie of one. */
export async function fill(database: D1Database): Promise<string> {
  for (const sql of [...migrations(), seedSql("http://127.0.0.1:8788", Date.now())]) {
    for (const statement of unstable_splitSqlQuery(sql)) await database.prepare(statement).run();
  }
  return sessionFor(database, "user-demo-premium");
}

/**
 * Creates a session for a user, as the app would. Without `tokens` it has no valid Spotify tokens.
 * @param tokens the columns with the encrypted tokens of a session with this id.
 * @returns the Cookie header.
 */
export async function sessionFor(
  database: D1Database,
  userId: string,
  begunAt = Date.now(),
  tokens: (sessionId: string) => Promise<Row> = async () => ({}),
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const id = createHash("sha256").update(token).digest("base64url");
  const about = { id, user_id: userId, created_at: begunAt, device: "Chrome on Windows" };
  await insert(database, "sessions", sessionRow({ ...about, ...(await tokens(id)) }));
  const secrets = [bindings.SESSION_SECRET ?? ""];
  const cookie = await createCookie("__Host-session", { secrets }).serialize(token);
  return cookie.split(";")[0] ?? "";
}

export async function insert(database: D1Database, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  await database
    .prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => "?")})`)
    .bind(...Object.values(row))
    .run();
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
function workerds(): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
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

export function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
