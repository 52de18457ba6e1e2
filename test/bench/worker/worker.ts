/**
 * `npm run bench -- worker`: the size of the deployed Worker by package, and the processor time that it
 * takes to start. It is built as for `wrangler deploy --env production`, and started in workerd many
 * times (`-- worker 3`: three times), in turns with an empty Worker. The difference is the time to
 * compile and evaluate the module, which the platform limits. Prints Markdown tables. Not part of `npm
 * test`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { transformWithEsbuild } from "vite";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

const root = join(import.meta.dirname, "../../..");
const rounds = Number(process.argv[2] ?? 9);
/** Cloudflare's limits: the compressed size on the free plan, and the processor time to start. */
const sizeLimit = 3 * 1024 * 1024;
const startLimitMs = 1000;
/** Packages smaller than this are listed together, in bytes. */
const small = 8 * 1024;

const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
const script = deployed();
await reportSizes(script);
await reportStarts(script);

/** The script that `npm run deploy` would upload. */
function deployed(): string {
  const folder = mkdtempSync(join(tmpdir(), "fivefold-worker-"));
  try {
    const { status, stdout, stderr } = spawnSync(
      "wrangler",
      ["deploy", "--env", "production", "--dry-run", "--outdir", folder],
      { cwd: root, encoding: "utf8", env: { ...process.env, WRANGLER_SEND_METRICS: "false" } },
    );
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return readFileSync(join(folder, "index.js"), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Splits the build into sections by its comments, which name the package or the part of the app. */
function partsOf(build: string): Map<string, string> {
  const parts = new Map<string, string>();
  let part = "the bundler";
  for (const line of build.split("\n")) {
    const [, path] = /^\/\/ (\S+)$/.exec(line) ?? [];
    if (path) {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      part = name ?? "the app";
    }
    parts.set(part, `${parts.get(part) ?? ""}${line}\n`);
  }
  return parts;
}

async function reportSizes(whole: string): Promise<void> {
  const rows: { name: string; size: number; compressed: number }[] = [];
  let rest = "";
  for (const [name, code] of partsOf(readFileSync(join(root, "build/index.js"), "utf8"))) {
    const minified = await minify(code);
    if (minified.length < small) rest += minified;
    else rows.push(sizesOf(name, minified));
  }
  rows.sort((a, b) => b.compressed - a.compressed);
  rows.push(
    sizesOf(`others, each under ${small / 1024} KiB`, rest),
    sizesOf("**deployed**", whole),
  );
  console.log("| minified, each on its own | KiB | KiB compressed |");
  console.log("|---|---|---|");
  for (const { name, size, compressed } of rows) {
    console.log(`| ${name} | ${inKib(size)} | ${inKib(compressed)} |`);
  }
  const share = ((100 * gzipSync(whole).byteLength) / sizeLimit).toFixed(0);
  console.log(`\nThat is ${share} % of what the free plan takes.\n`);
}

async function minify(code: string): Promise<string> {
  // The exports of the whole build do not belong to a section.
  const body = code.replace(/^export \{[^}]*\};?$/m, "");
  return (await transformWithEsbuild(body, "part.js", { minify: true, sourcemap: false })).code;
}

function sizesOf(name: string, code: string) {
  return { name, size: Buffer.byteLength(code), compressed: gzipSync(code).byteLength };
}

function inKib(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

/** The processor time of a workerd since its start, in milliseconds. */
interface Started {
  /** Until it listens for connections. */
  ready: number;
  /** Until it has responded to a first request. */
  answered: number;
}

async function reportStarts(whole: string): Promise<void> {
  const empty = "export default { fetch: () => new Response(), queue() {}, scheduled() {} };";
  const starts: { empty: Started; whole: Started }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    starts.push({ empty: await start(empty), whole: await start(whole) });
  }
  const startMs = median(starts.map((one) => one.whole.ready - one.empty.ready));
  const first = median(starts.map((one) => one.whole.answered - one.empty.answered));
  console.log("| processor time, ms | an empty Worker | this one | difference |");
  console.log("|---|---|---|---|");
  for (const [name, which, difference] of [
    ["until it listens", "ready", startMs],
    ["until the first answer (/health)", "answered", first],
  ] as const) {
    const cells = [
      median(starts.map((one) => one.empty[which])).toFixed(0),
      median(starts.map((one) => one.whole[which])).toFixed(0),
      difference.toFixed(0),
    ];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
  const share = ((100 * startMs) / startLimitMs).toFixed(0);
  console.log(`\nStarting takes ${share} % of what the platform allows; medians of ${rounds}.`);
}

async function start(contents: string): Promise<Started> {
  const before = new Set(workerds());
  const server = new Miniflare(
    convertV4MiniflareOptions({
      handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
        stdout.resume();
        stderr.resume();
      },
      // Its log does not matter here.
      handleStructuredLogs: () => undefined,
      workers: [
        {
          ...workerOptions,
          name: "measured",
          modules: [{ type: "ESModule", path: "worker.js", contents }],
          queueConsumers: {},
        },
      ],
    } as V4MiniflareOptions),
  );
  try {
    const url = await server.ready;
    const pid = workerds().find((one) => !before.has(one));
    if (!pid) throw new Error("no workerd was started");
    const ready = processorTime(pid);
    const response = await fetch(new URL("/health", url));
    await response.text();
    return { ready, answered: processorTime(pid) };
  } finally {
    await server.dispose();
  }
}

/** The ids of the workerd processes started by this process. */
function workerds(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readProcess(pid, "stat")) ?? [];
      return name === "workerd" && parent === String(process.pid);
    } catch {
      // It has ended in the meantime.
      return false;
    }
  });
}

/** The processor time of a process, which Linux counts in nanoseconds for each thread. */
function processorTime(pid: string): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((id) => Number(readProcess(pid, `task/${id}/schedstat`).split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

function readProcess(pid: string, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, "utf8");
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
