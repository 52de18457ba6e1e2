/**
 * `npm run bench -- rendering [rounds]`: the requests per second and the processor time of the
 * product's pages on the built Worker in workerd, compared with a Worker that returns a fixed page and
 * with a bare Remix page with one query. They take turns in one run, so that the ratios are valid on
 * any machine; the figures themselves are not.
 */
import { spawnSync } from "node:child_process";
import { Agent, request } from "node:http";
import { median, printTable } from "../tables.ts";
import { fill, processorTime, root, type ServedWorker, serveWorker } from "./served-worker.ts";

const rounds = Number(process.argv[2] ?? 9);
const requestsARound = 300;
const connections = 8;
/** The number of requests at the start that do not count, because workerd still compiles the code. */
const warmUp = 600;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

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
  const cookie = await fill(product.database);
  // The first visit draws a package.
  await get({ name: "", worker: product, cookie });
  const landing = await get({ name: "", worker: product });
  const HEADERS = JSON.stringify({ ...landing.headers, "Content-Type": "text/html" });
  const fixed = await serve("test/bench/worker/fixed-page.js", { PAGE: landing.body, HEADERS });
  const bare = await serve(".cache/bare/index.js");
  await fill(bare.database);
  await compare([
    { name: "a fixed page with the landing page's headers", worker: fixed },
    { name: "a bare Remix page, one query", worker: bare },
    { name: "landing", worker: product },
    { name: "carousel", worker: product, cookie },
    { name: "ratings", worker: product, path: "/ratings-of-my-songs", cookie },
  ]);
} finally {
  for (const { close } of served) await close();
}

async function serve(file: string, vars = {}): Promise<ServedWorker> {
  const worker = await serveWorker(file, { vars });
  served.push(worker);
  return worker;
}

async function compare(targets: Target[]): Promise<void> {
  const measured = targets.map((target) => ({ ...target, perSecond: [0], cpu: [0] }));
  for (const one of measured) {
    await load(one, warmUp);
    [one.perSecond, one.cpu] = [[], []];
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const one of measured) {
      const before = processorTime(one.worker.pid);
      const began = performance.now();
      await load(one, requestsARound);
      one.perSecond.push((requestsARound * 1000) / (performance.now() - began));
      one.cpu.push((processorTime(one.worker.pid) - before) / requestsARound);
    }
  }
  const [fixed = 0, bare = 0] = measured.map(({ cpu }) => median(cpu));
  printTable(
    ["", "requests per second", "CPU ms per request", "of the fixed page", "of the bare page"],
    measured.map(({ name, perSecond, cpu }) => {
      const ms = median(cpu);
      const ratios = [fixed / ms, bare / ms].map((ratio) => ratio.toFixed(2));
      return [name, median(perSecond).toFixed(0), ms.toFixed(2), ...ratios];
    }),
  );
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
