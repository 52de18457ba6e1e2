/**
 * `npm run bench -- refusals [requests]`: the cost of refusing requests that are designed to be expensive
 * (test/support/bad-input/heavy.ts), in processor time of workerd, as a multiple of a plain 404 that is
 * measured in turns with them. Every request is sent once; those that seem most expensive are measured
 * again, many times. Exits with 1 if a refusal is too expensive.
 */
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { readArguments } from "../../../.ops/command-line.ts";
import { type HeavyRequest, heavyRequest } from "../../support/bad-input/heavy.ts";
import { budgets } from "../../support/budgets.ts";
import { median, printTable } from "../tables.ts";
import { fill, processorTime, serveWorker, unlimited } from "./served-worker.ts";

const { words } = readArguments({
  usage: "npm run bench -- refusals [requests]",
  words: { most: 1, form: /^[1-9]\d*$/ },
});
const count = Number(words[0] ?? 3000);
/** In the first pass, the plain 404 is measured again after this many requests. */
const baselineEvery = 100;
/** The number of requests that are measured again, and in how many rounds of how many requests. */
const suspects = 20;
const rounds = 5;
const requestsARound = 8;
const warmUp = 1_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const chunked = { "Transfer-Encoding": "chunked" };
const plain404: HeavyRequest = { method: "GET", path: "/no-such-page", headers: {}, body: "" };

/** Plays the part of Spotify and Stripe: responds to everything with 404. */
const vendors = createServer((_, response) => {
  response.writeHead(404, { "Content-Type": "application/json" }).end('{"error":{}}');
}).listen(0, "127.0.0.1");
await once(vendors, "listening");
const origin = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
const vars = { SPOTIFY_API_URL: origin, SPOTIFY_ACCOUNTS_URL: origin, STRIPE_API_URL: origin };
const worker = await serveWorker("build/index.js", { vars, worker: { ratelimits: unlimited } });
const empty = await serveWorker("test/bench/worker/fixed-page.js", {
  ...{ direct: true, vars: { PAGE: "", HEADERS: "{}" } },
});
try {
  const cookie = await fill(worker.database);
  const refused = await costliest(sampled(heavyRequest(cookie)));
  const measured = [];
  for (const heavy of refused) measured.push(await measure(heavy));
  measured.sort((a, b) => b.ratio - a.ratio);
  printTable(
    ["the costliest refusals", "status", "times a plain 404", "of which the runtime's"],
    measured.map(({ heavy, status, ratio, runtime }) => [
      `${nameOf(heavy)}`,
      ...[status, ratio.toFixed(1), runtime.toFixed(1)],
    ]),
  );
  const over = measured.filter(({ ratio, runtime }) => ratio - runtime > budgets.refusal);
  console.log(`\n${over.length} refusals cost us more than ${budgets.refusal} times a plain 404.`);
  if (over.length > 0) process.exitCode = 1;
} finally {
  await worker.close();
  await empty.close();
  vendors.close();
}

/** A hundred at a time: all of them together are gigabytes. */
function* sampled<Value>(values: fc.Arbitrary<Value>): Generator<Value> {
  for (let done = 0; done < count; done += 100)
    yield* fc.sample(values, { numRuns: Math.min(100, count - done), seed: done + 1 });
}

/** Sends each once. @returns those that were refused and seemed most expensive. */
async function costliest(all: Iterable<HeavyRequest>): Promise<HeavyRequest[]> {
  for (let n = 0; n < warmUp; n += 1) await ask(plain404);
  let worst: { heavy: HeavyRequest; ratio: number }[] = [];
  let [sent, refused, plain] = [0, 0, 0];
  for (const heavy of all) {
    if (sent % baselineEvery === 0) plain = (await costOf(20, plain404)).ms / 20;
    let least = await costOf(1, heavy);
    // A high cost may have come from garbage collection for other requests.
    for (let n = 0; n < 2 && least.ms > 2 * plain; n += 1) {
      const again = await costOf(1, heavy);
      if (again.ms < least.ms) least = again;
    }
    sent += 1;
    if (least.status > 0 && least.status < 400) continue;
    refused += 1;
    worst.push({ heavy, ratio: least.ms / plain });
    worst = worst.toSorted((a, b) => b.ratio - a.ratio).slice(0, suspects);
  }
  console.log(`${sent} requests, of which ${refused} were refused.\n`);
  return worst.map(({ heavy }) => heavy);
}

/** Medians of rounds in which the plain 404, the request, and the request to an empty Worker take turns. */
async function measure(heavy: HeavyRequest) {
  const [ratios, runtimes]: number[][] = [[], []];
  let status = 0;
  for (let round = 0; round < rounds; round += 1) {
    const plain = (await costOf(requestsARound, plain404)).ms;
    const cost = await costOf(requestsARound, heavy);
    status = cost.status;
    ratios?.push(cost.ms / plain);
    runtimes?.push((await costOf(requestsARound, heavy, empty)).ms / plain);
  }
  return { heavy, status, ratio: median(ratios ?? []), runtime: median(runtimes ?? []) };
}

async function costOf(times: number, heavy: HeavyRequest, served = worker) {
  const before = processorTime(served.pid);
  let status = 0;
  for (let n = 0; n < times; n += 1) status = await ask(heavy, served);
  return { status, ms: processorTime(served.pid) - before };
}

/**
 * Sends a request over a kept-alive connection, and reads the whole response.
 * @returns its status; 0 if the connection was closed without a response.
 */
function ask({ method, path, headers, body, piece }: HeavyRequest, { url } = worker) {
  const framing =
    method !== "POST" ? {} : piece ? chunked : { "Content-Length": Buffer.byteLength(body) };
  return new Promise<number>((resolve) => {
    const { hostname, port } = url;
    const options = { agent, hostname, port, method, path };
    const all = { Accept: "text/html", ...headers, ...framing };
    const asked = request({ ...options, headers: all }, (response) => {
      response.on("close", () => resolve(response.statusCode ?? 0)).resume();
    });
    asked.on("error", () => resolve(0));
    const size = piece || body.length;
    if (method === "POST") {
      for (let at = 0; at < body.length; at += size) asked.write(body.slice(at, at + size));
    }
    asked.end();
  });
}

function nameOf({ method, path, headers, body }: HeavyRequest): string {
  const head = JSON.stringify(headers);
  return [method, path, head, body]
    .map((text) => text.slice(0, 60))
    .join(" ")
    .replaceAll("|", "/");
}
