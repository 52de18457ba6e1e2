/**
 * `npm run bench -- rendering [rounds] [--before FILE]`: the processor time of the product's pages on the built
 * Worker in workerd, compared with a Worker that returns a fixed page, with a bare Remix page with one
 * query, and with an older `build/index.js`. They take turns in one run, and each ratio is the
 * median of those of the rounds, so that it is valid on any machine; the figures themselves are not. Exits with 1 if a page
 * misses its aim.
 */
import { spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { readArguments } from "../../../.ops/command-line.ts";
import { budgets } from "../../support/budgets.ts";
import { median, printTable } from "../tables.ts";
import { fill, processorTime, root, type ServedWorker, serveWorker } from "./served-worker.ts";

const { words, options } = readArguments({
  usage: "npm run bench -- rendering [rounds] [--before FILE]",
  options: { before: { type: "string" } },
  words: { most: 1, form: /^[1-9]\d*$/ },
});
const rounds = Number(words[0] ?? 25);
const requestsARound = 100;
const connections = 8;
/** The number of requests at the start that do not count, because workerd still compiles the code. */
const warmUp = 600;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

interface Measured {
  cpu: number[];
}

interface Target {
  name: string;
  worker: ServedWorker;
  path?: string;
  cookie?: string;
}

const built = spawnSync("node", [".ops/build.ts", "test/bench/bare"], {
  ...{ cwd: root, encoding: "utf8" },
});
if (built.status !== 0) throw new Error(built.stderr);

const served: ServedWorker[] = [];
try {
  const product = await serve("build/index.js");
  const pages = await pagesOf("", product);
  const landing = await get({ name: "", worker: product });
  const HEADERS = JSON.stringify({ ...landing.headers, "Content-Type": "text/html" });
  const fixed = await serve("test/bench/worker/fixed-page.js", { PAGE: landing.body, HEADERS });
  const bare = await serve(".cache/bare/index.js");
  await fill(bare.database);
  await compare([
    { name: "a fixed page with the landing page's headers", worker: fixed },
    { name: "a bare Remix page, one query", worker: bare },
    ...pages,
    ...(options.before ? await pagesOf(", before", await serve(options.before)) : []),
  ]);
} finally {
  for (const { close } of served) await close();
}

async function serve(file: string, vars = {}): Promise<ServedWorker> {
  const worker = await serveWorker(file, { vars, direct: true });
  served.push(worker);
  return worker;
}

async function pagesOf(when: string, worker: ServedWorker): Promise<Target[]> {
  const cookie = await fill(worker.database);
  // The first visit draws a package.
  await get({ name: "", worker, cookie });
  return [
    { name: `landing${when}`, worker },
    { name: `carousel${when}`, worker, cookie },
    { name: `ratings${when}`, worker, path: "/ratings-of-my-songs", cookie },
  ];
}

async function compare(targets: Target[]): Promise<void> {
  const measured = targets.map((target) => ({ ...target, cpu: [] as number[] }));
  for (const one of measured) await load(one, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of measured) {
      const began = processorTime(one.worker.pid);
      await load(one, requestsARound);
      one.cpu.push((processorTime(one.worker.pid) - began) / requestsARound);
    }
  }
  const [fixed, bare] = measured;
  /** The median of the shares of one target in another, round by round. */
  function share(of: Measured | undefined, { cpu }: Measured): number {
    return median(cpu.map((ms, round) => (of?.cpu[round] ?? 0) / ms));
  }
  printTable(
    ["", "CPU ms per request", "of the fixed page", "of the bare page"],
    measured.map((one) => [
      one.name,
      median(one.cpu).toFixed(2),
      ...[fixed, bare].map((other) => share(other, one).toFixed(2)),
    ]),
  );
  const [landing, carousel, ratings] = measured.slice(2);
  const isReached =
    landing &&
    share(fixed, landing) >= budgets.landing &&
    carousel &&
    share(bare, carousel) >= budgets.carousel &&
    ratings &&
    share(bare, ratings) >= budgets.ratings;
  if (!isReached) process.exitCode = 1;
}

interface Page {
  body: string;
  /** The headers set by the app itself. */
  headers: Record<string, string>;
}

/** Fetches a page. @throws Error if the status is not 200. */
function get({ worker, path = "/", cookie }: Target): Promise<Page> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: "text/html", ...(cookie ? { Cookie: cookie } : {}) };
    const asked = request(new URL(path, worker.url), { agent, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => {
        const byServer = /^(connection|content-length|date|keep-alive|transfer-encoding)$/;
        const own = Object.entries(response.headers).filter(([name]) => !byServer.test(name));
        if (response.statusCode === 200) {
          resolve({ body, headers: Object.fromEntries(own.map(([k, v]) => [k, String(v)])) });
        } else reject(new Error(`${path}: ${response.statusCode} ${body.slice(0, 200)}`));
      });
    });
    asked.on("error", reject).end();
  });
}

async function load(target: Target, requests: number): Promise<void> {
  let left = requests;
  async function client() {
    while (left > 0) {
      left -= 1;
      await get(target);
    }
  }
  await Promise.all(Array.from({ length: connections }, client));
}
