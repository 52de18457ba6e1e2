/** The built Worker on a generated database, which counts statements and rows, with the stand-ins. */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { seal } from "../../../app/platform/crypto.server.ts";
import { startSandbox } from "../../sandbox/server.ts";
import {
  bindings,
  migrations,
  read,
  root,
  serveScript,
  sessionFor,
  unlimited,
} from "./served-worker.ts";

const sandboxInConfig = "http://127.0.0.1:8788";
const tokenKey = Uint8Array.from(Buffer.from(bindings.TOKEN_ENCRYPTION_KEY ?? "", "base64"));

/** A statement that was sent, with its cost according to D1. */
export interface Sent {
  /** The number of the round trip; the same for all statements of a batch. */
  trip: number;
  read: number;
  written: number;
}

/** A request to the app: a POST if it has a form or a body, otherwise a GET. */
export interface Ask {
  path: string;
  cookie?: string;
  form?: Record<string, string>;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

export type CountedApp = Awaited<ReturnType<typeof serveCounted>>;

type Fill = (database: DatabaseSync) => Promise<void>;

/** Serves the Worker of build/ on a database filled by `fill`, in a folder that is removed on closing. */
export async function serveCounted(fill: Fill) {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/scale-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // In case it is never closed.
  process.once("exit", remove);
  // The runtime creates the file, so that it finds it again.
  const empty = await start(folder, sandboxInConfig);
  await empty.database.prepare("SELECT 1").run();
  await empty.close();
  await fillFile(databaseFile(folder), fill);
  const sandbox = await startSandbox({ port: 0 });
  const { server, database, close: stop } = await start(folder, sandbox.origin);
  const files = (await server.getR2Bucket("RECORDINGS")) as unknown as Pick<R2Bucket, "put">;

  /** @throws Error if the response has another status. */
  async function ask({ path, cookie, form, body, headers }: Ask, status = 200): Promise<Response> {
    const posted = body ?? (form && new URLSearchParams(form).toString());
    const response = (await server.dispatchFetch(new URL(path, bindings.APP_ORIGIN).href, {
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

  /** Posts a control action to the stand-ins, see test/sandbox/control.ts. */
  async function control<Answer>(action: string, fields = {}): Promise<Answer> {
    const response = await fetch(`${sandbox.origin}/control`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action, ...fields }),
    });
    if (!response.ok) throw new Error(`control ${action}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  /** Runs a statement that is not counted. */
  async function sql<Row = Record<string, string>>(
    text: string,
    ...params: unknown[]
  ): Promise<Row[]> {
    const bound = database.prepare(text).bind(...params);
    return (await bound.all<Row>()).results;
  }

  /**
   * Creates a new session for a user, with a musician's real tokens from the stand-in. It was last
   * active two minutes ago, so that the next request also records the activity.
   */
  async function logIn(userId: string, musician = "demo-premium"): Promise<string> {
    type Tokens = { access_token: string; refresh_token: string };
    const issued = await control<Tokens>("issueToken", { musician });
    await sql("DELETE FROM sessions WHERE user_id = ?", userId);
    await sql("UPDATE users SET last_active_at = ? WHERE id = ?", Date.now() - 120_000, userId);
    return sessionFor(database, userId, Date.now() - 120_000, async (id) => ({
      access_token: await seal(tokenKey, issued.access_token, id),
      refresh_token: await seal(tokenKey, issued.refresh_token, id),
    }));
  }

  async function close(): Promise<void> {
    await stop();
    await sandbox.close();
    remove();
  }

  /** The statements sent since the last call. */
  async function statements(): Promise<Sent[]> {
    return (await ask({ path: "/bench/statements" })).json();
  }

  return { ask, statements, files, sql, control, logIn, close };
}

/** The Worker with the configuration of wrangler.toml, but other stand-ins. */
function start(folder: string, sandbox: string) {
  const vars = JSON.parse(JSON.stringify(bindings).replaceAll(sandboxInConfig, sandbox));
  const modules = [
    { type: "ESModule", path: join(root, "counting-worker.js"), contents: counting },
    { type: "ESModule", path: join(root, "app.js"), contents: read("build/index.js") },
  ];
  const worker = { modules, ratelimits: unlimited };
  return serveScript("", { vars, worker, shared: { resourcePersistencePath: folder } });
}

const counting = read("test/bench/worker/counting-worker.js");

function databaseFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const [file, ...more] = files.filter((name) => /^d1\b.*\/[0-9a-f]{64}\.sqlite$/.test(name));
  if (!file || more.length > 0) throw new Error("The runtime keeps its database elsewhere.");
  return join(folder, file);
}

/** Migrates and fills a file as fast as possible, without safeguards, because after a failure it is deleted. */
async function fillFile(file: string, fill: Fill): Promise<void> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000`);
    for (const script of migrations()) database.exec(script);
    await fill(database);
    database.exec("PRAGMA journal_mode = WAL");
  } finally {
    database.close();
  }
}

/** Creates a user for one measurement. @returns the id. */
export async function newUser({ sql }: CountedApp): Promise<string> {
  const id = randomUUID();
  await sql(
    `INSERT INTO users (id, spotify_id, display_name, email, created_at, updated_at)
     VALUES (?1, ?1, 'A Newcomer', ?1 || '@musicians.example', ?2, ?2)`,
    ...[id, Date.now()],
  );
  return id;
}
