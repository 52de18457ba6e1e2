/**
 * `npm run bench -- worker [rounds]`: the size of the Worker as it is deployed, and the processor time
 * that it takes to start: many times in workerd, in turns with an empty Worker. The difference is the
 * time to compile and evaluate the module. Exits with 1 beyond Cloudflare's limits.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readArguments } from "../../../.ops/command-line.ts";
import { budgets } from "../../support/budgets.ts";
import { median, printTable } from "../tables.ts";
import { processorTime, root, serveScript } from "./served-worker.ts";

const { words } = readArguments({
  usage: "npm run bench -- worker [rounds]",
  words: { most: 1, form: /^[1-9]\d*$/ },
});
const rounds = Number(words[0] ?? 9);
const limits = budgets.deployed;

const script = deployed();
const size = gzipSync(script).byteLength;
const empty = "export default { fetch: () => new Response(), queue() {}, scheduled() {} };";
const differences: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const without = await startingMs(empty);
  differences.push((await startingMs(script)) - without);
}
const startMs = median(differences);
printTable(
  ["the Worker", "", "of what the platform allows"],
  [
    ["compressed", `${(size / 1024).toFixed(0)} KiB`, share(size, limits.bytes)],
    [`to start, median of ${rounds}`, `${startMs.toFixed(0)} ms`, share(startMs, limits.startMs)],
  ],
);
if (size > limits.bytes || startMs > limits.startMs) process.exitCode = 1;

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

async function startingMs(contents: string): Promise<number> {
  const { pid, close } = await serveScript(contents);
  try {
    return processorTime(pid);
  } finally {
    await close();
  }
}

function share(used: number, allowed: number): string {
  return `${((100 * used) / allowed).toFixed(0)} %`;
}
