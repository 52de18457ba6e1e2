/**
 * `npm run bench -- refusals`: what it costs to refuse requests that are made to cost much
 * (hostile-requests.ts), as a multiple of what a plain 404 costs, in processor time of workerd itself
 * and in turns with that 404. Every request is asked once; those that seem the costliest are measured
 * again, at length. Prints Markdown tables, and ends with 1 if a refusal costs more than it may.
 */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { sessionFor } from "../session.ts";
import { type HostileRequest, hostileRequests } from "./hostile-requests.ts";
import { bindings, fill, processorTime, type ServedWorker, serveWorker } from "./served-worker.ts";

/** How many times a plain 404 a refusal may cost (design section 7). */
const allowed = 3;
/** At first sight each is asked once, and the plain 404 is measured anew after so many. */
const baselineEvery = 100;
/** The costliest are measured at length, in rounds. */
const suspects = 20;
const rounds = 5;
const requestsARound = 8;
/** So many of them are told. */
const shown = 12;
const warmUp = 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const plain404: HostileRequest = { name: "404", method: "GET", path: "/no-such-page", headers: [] };

interface Measured {
  hostile: HostileRequest;
  status: number;
  /** What it costs, in costs of a plain 404. */
  ratio: number;
  /** What the runtime takes of that before and after the Worker: what the request costs at an empty one. */
  runtime: number;
}

// Limits that refuse nobody, so that every request comes as far as it can.
const ratelimits = Object.fromEntries(
  ["LIMIT_LOGIN", "LIMIT_STRICT", "LIMIT_NORMAL", "LIMIT_WIDE"].map((name, index) => [
    name,
    { namespace_id: String(index + 1), simple: { limit: 1_000_000_000, period: 60 as const } },
  ]),
);
/** Stands for Spotify and Stripe: knows nothing, and says so at once. */
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
    // What was dear once may have been the collection of somebody else's garbage.
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

/** Measures those at length that seemed the costliest. */
async function lookAt(seen: Measured[]): Promise<Measured[]> {
  const worst = seen.toSorted((a, b) => b.ratio - a.ratio).slice(0, suspects);
  const measured: Measured[] = [];
  for (const { hostile } of worst) measured.push(await measure(hostile));
  return measured.toSorted((a, b) => b.ratio - a.ratio);
}

/** The medians of rounds in which the plain 404, the request, and the request to an empty Worker take turns. */
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
 * Sends a request over a connection that is kept, and reads the whole answer.
 * @returns its status; 0 if the connection was closed without one.
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
