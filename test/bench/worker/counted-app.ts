/** The built Worker on a generated database, which counts statements and rows, with the stand-ins. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { seal } from "../../../app/platform/crypto.server.ts";
import { startSandbox } from "../../sandbox/server.ts";
import { sessionFor } from "../session.ts";

const root = join(import.meta.dirname, "../../..");
const sandboxInConfig = "http://127.0.0.1:8788";
const minute = 60_000;

/** A statement that was sent, with its cost according to D1. */
export interface Sent {
  sql: string;
  params: unknown[];
  /** The number of the round trip; the same for all statements of a batch. */
  trip: number;
  read: number;
  written: number;
  /** Whole milliseconds. */
  ms: number;
}

/** A request to the app: a POST if it has a form or a body, otherwise a GET. */
export interface Ask {
  path: string;
  cookie?: string;
  form?: Record<string, string>;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

export interface CountedApp {
  /** The secret with which the app signs. */
  secret: string;
  /** @throws Error if the response has another status. */
  ask(asked: Ask, status?: number): Promise<Response>;
  /** The statements sent since the last call. */
  statements(): Promise<Sent[]>;
  /** The operations of R2 since the last call, by the classes of its price list. */
  fileOperations(): Promise<{ classA: number; classB: number }>;
  files: Pick<R2Bucket, "put">;
  /** The average milliseconds of a read, from many in a row. */
  timeOf(read: Sent): Promise<number>;
  /** Runs a statement that is not counted. */
  sql<Row = Record<string, string>>(sql: string, ...params: unknown[]): Promise<Row[]>;
  /** Posts a control action to the stand-ins, see test/sandbox/control.ts. */
  control<Answer>(action: string, fields?: Record<string, unknown>): Promise<Answer>;
  /**
   * Creates a new session for a user, with a musician's real tokens from the stand-in. It was last
   * active two minutes ago, so that the next request also records the activity.
   */
  logIn(userId: string, musician?: string): Promise<string>;
  /** The origin of the stand-ins. */
  sandbox: string;
  close(): Promise<void>;
}

/** Serves the Worker of build/ on a database filled by `fill`, in a folder that is removed on closing. */
export async function serveCounted<Filled>(
  fill: (database: DatabaseSync) => Promise<Filled>,
): Promise<{ app: CountedApp; filled: Filled }> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/scale-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const closing: (() => void | Promise<void>)[] = [remove];
  // In case it is never closed.
  process.once("exit", remove);
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    // The runtime creates the file, so that it finds it again.
    const empty = await start(folder, sandboxInConfig);
    await (await empty.getD1Database("DB")).prepare("SELECT 1").run();
    await empty.dispose();
    const filled = await fillFile(databaseFile(folder), fill);
    const sandbox = await startSandbox({ port: 0 });
    closing.push(() => sandbox.close());
    const server = await start(folder, sandbox.origin);
    closing.push(() => server.dispose());
    const app = await countedApp(server, sandbox.origin);
    return { app: { ...app, close }, filled };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The Worker with the configuration of wrangler.toml, but other stand-ins. Queued messages are not delivered. */
async function start(folder: string, sandbox: string): Promise<Miniflare> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
  const vars = JSON.stringify(workerOptions.bindings).replaceAll(sandboxInConfig, sandbox);
  const server = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      // Logging still takes its time, but the lines are not shown.
      handleStructuredLogs: () => undefined,
      workers: [
        {
          ...workerOptions,
          name: "counted",
          modulesRoot: root,
          modules: [
            {
              type: "ESModule",
              path: join(root, "counting-worker.js"),
              contents: read("test/bench/worker/counting-worker.js"),
            },
            { type: "ESModule", path: join(root, "app.js"), contents: read("build/index.js") },
          ],
          bindings: JSON.parse(vars),
          queueConsumers: {},
        },
      ],
    } as V4MiniflareOptions),
  );
  await server.ready;
  return server;
}

function databaseFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const [file, ...more] = files.filter((name) => /^d1\b.*\/[0-9a-f]{64}\.sqlite$/.test(name));
  if (!file || more.length > 0) throw new Error("The runtime keeps its database elsewhere.");
  return join(folder, file);
}

/** Migrates and fills a file as fast as possible, without safeguards, because after a failure it is deleted. */
async function fillFile<Filled>(
  file: string,
  fill: (database: DatabaseSync) => Promise<Filled>,
): Promise<Filled> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000`);
    const migrations = readdirSync(join(root, "migrations")).filter((name) =>
      name.endsWith(".sql"),
    );
    for (const name of migrations.sort()) database.exec(read(`migrations/${name}`));
    const filled = await fill(database);
    database.exec("PRAGMA journal_mode = WAL");
    return filled;
  } finally {
    database.close();
  }
}

async function countedApp(server: Miniflare, sandbox: string): Promise<Omit<CountedApp, "close">> {
  const bindings = await server.getBindings<Record<string, string>>();
  const database = (await server.getD1Database("DB")) as unknown as D1Database;
  const origin = bindings.APP_ORIGIN ?? "";
  const secret = bindings.SESSION_SECRET ?? "";
  const tokenKey = Uint8Array.from(Buffer.from(bindings.TOKEN_ENCRYPTION_KEY ?? "", "base64"));

  async function ask({ path, cookie, form, body, headers }: Ask, status = 200): Promise<Response> {
    const posted = body ?? (form && new URLSearchParams(form).toString());
    const response = (await server.dispatchFetch(new URL(path, origin).href, {
      method: posted === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: {
        Accept: form ? "application/json" : "text/html",
        ...(form ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
        ...(cookie ? { Cookie: cookie } : {}),
        ...headers,
      },
      ...(posted === undefined ? {} : { body: posted }),
    })) as unknown as Response;
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${path}: ${response.status} instead of ${status}: ${text.slice(0, 300)}`);
    }
    return new Response(text || null, { status: response.status, headers: response.headers });
  }

  async function control<Answer>(action: string, fields = {}): Promise<Answer> {
    const response = await fetch(`${sandbox}/control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action, ...fields }),
    });
    if (!response.ok) throw new Error(`control ${action}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  async function sql<Row>(text: string, ...params: unknown[]): Promise<Row[]> {
    return (
      await database
        .prepare(text)
        .bind(...params)
        .all<Row>()
    ).results;
  }

  return {
    secret,
    sandbox,
    ask,
    sql,
    control,
    files: (await server.getR2Bucket("RECORDINGS")) as unknown as R2Bucket,
    statements: async () => (await ask({ path: "/bench/statements" })).json(),
    fileOperations: async () => (await ask({ path: "/bench/files" })).json(),
    async timeOf({ sql: text, params, read: rows }) {
      const body = JSON.stringify({ sql: text, params, times: rows > 2000 ? 5 : 100 });
      return (await ask({ path: "/bench/again", body })).json();
    },
    async logIn(userId, musician = "demo-premium") {
      const issued = await control<{ access_token: string; refresh_token: string }>("issueToken", {
        musician,
      });
      await sql("DELETE FROM sessions WHERE user_id = ?", userId);
      return sessionFor(database, userId, secret, {
        begunAt: Date.now() - 2 * minute,
        tokens: async (id) => ({
          access_token: await seal(tokenKey, issued.access_token, id),
          refresh_token: await seal(tokenKey, issued.refresh_token, id),
        }),
      });
    },
  };
}

/** Creates a user for one measurement. @returns the id. */
export async function newUser({ sql }: CountedApp): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO users (id, spotify_id, display_name, email, created_at, updated_at)
     VALUES (?1, ?1, 'A Newcomer', ?1 || '@musicians.example', ?2, ?2)`,
    id,
    Date.now(),
  );
  return id;
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
