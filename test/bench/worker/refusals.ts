/**
 * `npm run bench -- refusals`: the cost of refusing requests that are designed to be expensive
 * (hostile-requests.ts), in processor time of workerd, as a multiple of a plain 404 that is measured
 * in turns with them. Every request is sent once; those that seem most expensive are measured again,
 * many times. Prints Markdown tables, and exits with 1 if a refusal is too expensive.
 */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { sessionFor } from "../session.ts";
import { type HostileRequest, hostileRequests } from "./hostile-requests.ts";
import { bindings, fill, processorTime, type ServedWorker, serveWorker } from "./served-worker.ts";

/** The maximum cost of a refusal, as a multiple of a plain 404. */
const allowed = 3;
/** In the first pass, the plain 404 is measured again after this many requests. */
const baselineEvery = 100;
/** The number of requests that are measured again, and in how many rounds of how many requests. */
const suspects = 20;
const rounds = 5;
const requestsARound = 8;
/** The number of rows in the table. */
const shown = 12;
const warmUp = 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const plain404: HostileRequest = { name: "404", method: "GET", path: "/no-such-page", headers: [] };

interface Measured {
  hostile: HostileRequest;
  status: number;
  /** The cost as a multiple of a plain 404. */
  ratio: number;
  /** The runtime's share of it: the cost of the same request to an empty Worker. */
  runtime: number;
}

// Rate limits that refuse nothing, so that every request gets as far as possible.
const ratelimits = Object.fromEntries(
  ["LIMIT_LOGIN", "LIMIT_STRICT", "LIMIT_NORMAL", "LIMIT_WIDE"].map((name, index) => [
    name,
    { namespace_id: String(index + 1), simple: { limit: 1_000_000_000, period: 60 as const } },
  ]),
);
/** Plays the part of Spotify and Stripe: responds to everything with 404. */
const vendors = createServer((_, response) => {
  response.writeHead(404, { "Content-Type": "application/json" }).end('{"error":{}}');
}).listen(0, "127.0.0.1");
await once(vendors, "listening");
const vendorOrigin = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
const worker = await serveWorker("build/index.js", {
  ratelimits,
  vars: {
    SPOTIFY_API_URL: vendorOrigin,
    SPOTIFY_ACCOUNTS_URL: vendorOrigin,
    STRIPE_API_URL: vendorOrigin,
  },
});
const empty = await serveWorker("test/bench/worker/fixed-page.js", {
  direct: true,
  vars: { PAGE: "", HEADERS: "{}" },
});
try {
  await measureAll(worker);
} finally {
  await worker.close();
  await empty.close();
  vendors.close();
}

async function measureAll({ database }: ServedWorker): Promise<void> {
  await fill(database);
  const cookie = await sessionFor(database, "user-demo-premium", bindings.SESSION_SECRET ?? "");
  for (let n = 0; n < warmUp; n += 1) await ask(plain404);
  const seen: Measured[] = [];
  let plain = 0;
  for (const [index, hostile] of hostileRequests(cookie).entries()) {
    if (index % baselineEvery === 0) plain = (await costOf(20, () => ask(plain404))) / 20;
    let status = 0;
    let least = Number.POSITIVE_INFINITY;
    // A high cost may have come from garbage collection for other requests.
    for (let n = 0; n < 3 && least > 2 * plain; n += 1) {
      const cost = await costOf(1, async () => {
        status = await ask(hostile);
      });
      least = Math.min(least, cost);
    }
    seen.push({ hostile, status, ratio: least / plain, runtime: 0 });
  }
  const [refused, answered] = [seen.filter(isRefused), seen.filter((one) => !isRefused(one))];
  console.log(`${seen.length} requests, of which ${refused.length} were refused.`);
  const measured = await lookAt(refused);
  report("The costliest refusals", measured);
  report("The costliest that were answered", await lookAt(answered));
  const over = measured.filter(({ ratio, runtime }) => ratio - runtime > allowed);
  console.log(`\n${over.length} refusals cost us more than ${allowed} times a plain 404.`);
  if (over.length > 0) process.exitCode = 1;
}

function isRefused({ status }: Measured): boolean {
  return status === 0 || status >= 400;
}

/** Measures the requests again that seemed most expensive. */
async function lookAt(seen: Measured[]): Promise<Measured[]> {
  const worst = seen.toSorted((a, b) => b.ratio - a.ratio).slice(0, suspects);
  const measured: Measured[] = [];
  for (const { hostile } of worst) measured.push(await measure(hostile));
  return measured.toSorted((a, b) => b.ratio - a.ratio);
}

/** Medians of rounds in which the plain 404, the request, and the request to an empty Worker take turns. */
async function measure(hostile: HostileRequest): Promise<Measured> {
  let status = 0;
  const ratios: number[] = [];
  const runtimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const plain = await costOf(requestsARound, () => ask(plain404));
    const cost = await costOf(requestsARound, async () => {
      status = await ask(hostile);
    });
    const handedOver = await costOf(requestsARound, () => ask(hostile, empty), empty);
    ratios.push(cost / plain);
    runtimes.push(handedOver / plain);
  }
  return { hostile, status, ratio: median(ratios), runtime: median(runtimes) };
}

async function costOf(
  times: number,
  work: () => Promise<unknown>,
  { pid }: ServedWorker = worker,
): Promise<number> {
  const before = processorTime(pid);
  for (let n = 0; n < times; n += 1) await work();
  return processorTime(pid) - before;
}

/**
 * Sends a request over a kept-alive connection, and reads the whole response.
 * @returns its status; 0 if the connection was closed without a response.
 */
function ask(
  { method, path, headers, body = [] }: HostileRequest,
  { url }: ServedWorker = worker,
): Promise<number> {
  const framed = [["Host", url.host], ...headers];
  const has = (name: string) => framed.some(([other]) => other?.toLowerCase() === name);
  if (!has("accept")) framed.push(["Accept", "text/html"]);
  if (body.length > 1) framed.push(["Transfer-Encoding", "chunked"]);
  else if (method === "POST") framed.push(["Content-Length", String(body[0]?.length ?? 0)]);
  const { hostname, port } = url;
  return new Promise((resolve) => {
    const options = { agent, hostname, port, method, path, headers: framed.flat() };
    const asked = request(options, (response) => {
      const status = response.statusCode ?? 0;
      response.on("close", () => resolve(status)).resume();
    });
    asked.on("error", () => resolve(0));
    for (const piece of body) asked.write(piece);
    asked.end();
  });
}

function report(title: string, measured: Measured[]): void {
  console.log(`\n${title}:\n`);
  console.log("| | status | times a plain 404 | of which the runtime's |");
  console.log("|---|--:|--:|--:|");
  for (const { hostile, status, ratio, runtime } of measured.slice(0, shown)) {
    console.log(`| ${hostile.name} | ${status} | ${ratio.toFixed(1)} | ${runtime.toFixed(1)} |`);
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
