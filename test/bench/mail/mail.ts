/**
 * `npm run bench -- mail`: what a hundred mails cost the consumer of the built Worker: calls of the
 * provider and how many at once, database calls and statements, and the duration as a multiple of
 * the provider's response time, which is fixed. Prints a Markdown table; the counts are the same on
 * any machine. Not part of `npm test`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { transformWithEsbuild } from "vite";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { startMailProvider } from "./provider.ts";
import { everyKindSql, mailIds, oneOwnerSql, subjectsSql } from "./rows.ts";

const root = join(import.meta.dirname, "../../..");
const delayMs = 100;
/** Resend's default limit, in calls per second. */
const usualLimit = 5;
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
const consumers = workerOptions.queueConsumers as Record<string, { maxBatchSize?: number }>;
const usualBatch = consumers["fivefold-outbox"]?.maxBatchSize ?? 10;

interface Run {
  name: string;
  sql(run: string): string;
  /** The number of messages in a batch. */
  batch: number;
  limit?: number;
}

/** The outcome and the cost of a batch. */
interface Handled {
  outcomes: (number | null)[];
  trips: number;
  statements: number;
}

const runs: Run[] = [
  { name: "one batch of 100, every kind", sql: everyKindSql, batch: 100 },
  { name: `batches of ${usualBatch}, every kind`, sql: everyKindSql, batch: usualBatch },
  { name: "one batch of 100 ratings for one owner", sql: oneOwnerSql, batch: 100 },
  {
    name: `batches of ${usualBatch}, a provider that takes ${usualLimit} a second`,
    sql: everyKindSql,
    batch: usualBatch,
    limit: usualLimit,
  },
];

const provider = await startMailProvider(delayMs);
const server = await serve(provider.url);
try {
  const database = (await server.getD1Database("DB")) as unknown as D1Database;
  for (const sql of migrations()) await database.prepare(sql).run();
  for (const sql of subjectsSql) await database.prepare(sql).run();
  console.log(
    "| | mails | provider calls | refused | most at once | D1 calls | D1 calls per mail | D1 statements per mail | most subrequests per batch | duration, in response times of the provider |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const run of runs) console.log(`| ${(await measure(run, database)).join(" | ")} |`);
  console.log(
    "\nThe platform lets six connections be open, and allows an invocation 50 subrequests on the free plan, 10,000 on the paid one, and 15 minutes.",
  );
} finally {
  await server.dispose();
  await provider.close();
}

async function serve(providerUrl: string): Promise<Miniflare> {
  const vars = workerOptions.bindings as Record<string, string>;
  const counting = "test/support/database/counting-database.ts";
  const parts = {
    "worker.js": read("test/bench/mail/worker.js"),
    "app.js": read("build/index.js"),
    "counting.js": (await transformWithEsbuild(read(counting), counting)).code,
  };
  return new Miniflare(
    convertV4MiniflareOptions({
      // Logging still takes its time, but the lines are not shown.
      handleStructuredLogs: () => undefined,
      workers: [
        {
          ...workerOptions,
          name: "measured",
          modulesRoot: root,
          modules: Object.entries(parts).map(([path, contents]) => ({
            type: "ESModule",
            path: join(root, path),
            contents,
          })),
          bindings: { ...vars, RESEND_API_URL: providerUrl },
          queueConsumers: {},
        },
      ],
    } as V4MiniflareOptions),
  );
}

function migrations(): string[] {
  const files = readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
  return files.sort().flatMap((name) => unstable_splitSqlQuery(read(`migrations/${name}`)));
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** @returns the cells of a row. @throws Error if a mail was not sent. */
async function measure(run: Run, database: D1Database): Promise<string[]> {
  const { name, sql, batch, limit } = run;
  await database.prepare(sql(name)).run();
  provider.begin(limit);
  const began = performance.now();
  const handled = await consume(mailIds(name), batch);
  const took = performance.now() - began;
  const left = await database
    .prepare("SELECT count(*) AS rows FROM outbox WHERE state <> 'sent'")
    .first<number>("rows");
  if (left !== 0) throw new Error(`${name}: ${left} rows are not sent`);
  const { calls, refused, most } = provider.counted();
  const mails = calls - refused;
  const trips = sum(handled.map((one) => one.trips));
  const statements = sum(handled.map((one) => one.statements));
  const subrequests = Math.max(...handled.map((one) => one.trips + one.calls));
  return [
    name,
    `${mails}`,
    `${calls}`,
    `${refused}`,
    `${most}`,
    `${trips}`,
    (trips / mails).toFixed(1),
    (statements / mails).toFixed(1),
    `${subrequests}`,
    (took / delayMs).toFixed(1),
  ];
}

/** Delivers messages batch after batch like the queue, including retries when they are due. */
async function consume(ids: string[], batch: number): Promise<(Handled & { calls: number })[]> {
  const handled: (Handled & { calls: number })[] = [];
  let waiting = ids.map((id) => ({ id, at: 0 }));
  while (waiting.length > 0) {
    const now = performance.now();
    const due = waiting.filter(({ at }) => at <= now).slice(0, batch);
    if (due.length === 0) {
      const next = Math.min(...waiting.map(({ at }) => at));
      await new Promise((resolve) => setTimeout(resolve, next - now));
      continue;
    }
    const before = provider.counted().calls;
    const took = await hand(due.map(({ id }) => id));
    handled.push({ ...took, calls: provider.counted().calls - before });
    const ended = performance.now();
    waiting = waiting.filter((one) => !due.includes(one));
    for (const [index, seconds] of took.outcomes.entries()) {
      const one = due[index];
      if (one && seconds !== null) waiting.push({ id: one.id, at: ended + seconds * 1000 });
    }
  }
  return handled;
}

async function hand(ids: string[]): Promise<Handled> {
  const body = JSON.stringify(ids);
  const response = await server.dispatchFetch("http://127.0.0.1/", { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Handled;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
