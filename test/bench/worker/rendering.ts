/**
 * `npm run bench -- rendering`: the requests per second and the processor time of the product's pages on
 * the built Worker in workerd, compared with a Worker that returns a fixed page, a bare Remix page with
 * one query, and the carousel's and the ratings' elements rendered by React alone. They take turns in one
 * run, so that the ratios are valid on any machine; the figures themselves are not. Prints a Markdown
 * table. Not part of `npm test`.
 */
import { spawnSync } from "node:child_process";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { sessionFor } from "../session.ts";
import { treeOf } from "./html-tree.ts";
import { bindings, fill, processorTime, type ServedWorker, serveWorker } from "./served-worker.ts";

const root = join(import.meta.dirname, "../../..");
const rounds = 9;
const requestsARound = 300;
const connections = 8;
/** The number of requests at the start that do not count, because workerd still compiles the code. */
const warmUp = 600;

interface Target {
  name: string;
  url: URL;
  cookie?: string;
  /** The process that serves it. */
  pid: number;
  perSecond: number[];
  /** Milliseconds of processor time per request. */
  cpu: number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const closing: (() => Promise<void>)[] = [];
try {
  await measureAll();
} finally {
  for (const close of closing) await close();
}

async function measureAll(): Promise<void> {
  buildBare();
  const product = await serve("build/index.js");
  await fill(product.database);
  const secret = bindings.SESSION_SECRET ?? "";
  const cookie = await sessionFor(product.database, "user-demo-premium", secret);
  // The first visit draws a package.
  await get({ url: product.url, cookie });
  const ratingsUrl = new URL("/ratings-of-my-songs", product.url);
  const aloneOf = async (url: URL) => serveTree((await get({ url, cookie })).body);
  const [carouselAlone, ratingsAlone] = [await aloneOf(product.url), await aloneOf(ratingsUrl)];
  const landing = await get({ url: product.url });
  const fixedPage = "test/bench/worker/fixed-page.js";
  const type = { "Content-Type": "text/html; charset=utf-8" };
  const fixed = await serve(fixedPage, { PAGE: landing.body, HEADERS: JSON.stringify(type) });
  const HEADERS = JSON.stringify({ ...type, ...landing.headers });
  const fixedSecure = await serve(fixedPage, { PAGE: landing.body, HEADERS });
  const bare = await serve(".cache/bare/index.js");
  await fill(bare.database);

  const targets: Target[] = [
    target("a fixed page", fixed),
    target("a fixed page with the landing page's headers", fixedSecure),
    target("a bare Remix page, one query", bare),
    target("landing", product),
    target("carousel", product, "/", cookie),
    target("ratings", product, ratingsUrl.pathname, cookie),
    target("the carousel's elements, React alone", carouselAlone),
    target("the ratings' elements, React alone", ratingsAlone),
  ];
  for (const one of targets) await load(one, warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of targets) {
      const before = processorTime(one.pid);
      const began = performance.now();
      await load(one, requestsARound);
      one.perSecond.push((requestsARound * 1000) / (performance.now() - began));
      one.cpu.push((processorTime(one.pid) - before) / requestsARound);
    }
  }
  report(targets);
}

function buildBare(): void {
  const { status, stderr } = spawnSync("node", [".ops/build.ts", "test/bench/bare"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

/** Serves a Worker until the measurement ends. */
async function serve(file: string, vars: Record<string, unknown> = {}): Promise<ServedWorker> {
  const worker = await serveWorker(file, { vars });
  closing.push(worker.close);
  return worker;
}

/** Serves a page's elements by React alone, which is the least that rendering them can cost. */
function serveTree(html: string): Promise<ServedWorker> {
  return serve(".cache/bare/index.js", { TREE: treeOf(html) });
}

function target(
  name: string,
  { url, pid }: { url: URL; pid: number },
  path = "/",
  cookie?: string,
): Target {
  const place = { name, url: new URL(path, url), pid, perSecond: [], cpu: [] };
  return cookie ? { ...place, cookie } : place;
}

interface Page {
  body: string;
  /** The headers set by the app itself. */
  headers: Record<string, string>;
}

/** Fetches a page. @throws Error if the status is not 200. */
function get({ url, cookie }: { url: URL; cookie?: string }): Promise<Page> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: "text/html", ...(cookie ? { Cookie: cookie } : {}) };
    const asked = request(url, { agent, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve({ body, headers: ownHeaders(response.headers) });
        else reject(new Error(`${url}: ${response.statusCode} ${body.slice(0, 200)}`));
      });
    });
    asked.on("error", reject).end();
  });
}

function ownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const byServer = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
  const own = Object.entries(headers).filter(([name]) => !byServer.includes(name));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

async function load(one: Target, requests: number): Promise<void> {
  let left = requests;
  async function client() {
    while (left > 0) {
      left -= 1;
      await get(one);
    }
  }
  await Promise.all(Array.from({ length: connections }, client));
}

function report(targets: Target[]): void {
  const [, fixed, bare] = targets;
  if (!fixed || !bare) return;
  console.log("| | requests per second | of 2. | of 3. | CPU ms per request | of 3. by CPU |");
  console.log("|---|---|---|---|---|---|");
  for (const [index, { name, perSecond, cpu }] of targets.entries()) {
    const rate = median(perSecond);
    const cells = [
      `${index + 1}. ${name}`,
      rate.toFixed(0),
      (rate / median(fixed.perSecond)).toFixed(2),
      (rate / median(bare.perSecond)).toFixed(2),
      median(cpu).toFixed(2),
      (median(bare.cpu) / median(cpu)).toFixed(2),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
