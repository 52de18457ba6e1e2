/**
 * `npm run bench`: runs all measurements one after the other, or those that are named. Numbers are passed on to
 * those that know sizes. Each prints Markdown tables; test/bench/README.md has the latest results. Exits with 1 if
 * one of them does.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readArguments } from "../../.ops/command-line.ts";

const files = {
  rendering: "worker/rendering.ts",
  refusals: "worker/refusals.ts",
  uploads: "worker/uploads.ts",
  scale: "scale/scale.ts",
  capacity: "scale/capacity.ts",
  weight: "browser/weight.ts",
  pictures: "browser/pictures.ts",
  listening: "browser/listening.ts",
  browser: "browser/browser.ts",
  moves: "browser/moves.ts",
  worker: "worker/worker.ts",
};
type Bench = keyof typeof files;
const benches = Object.keys(files) as Bench[];
const { words, options } = readArguments({
  usage: `npm run bench -- [${benches.join(" | ")}] [numbers] [--before FILE]`,
  options: { before: { type: "string" } },
  words: { most: Number.POSITIVE_INFINITY, form: RegExp(`^(${benches.join("|")}|[1-9]\\d*)$`) },
});
const named = words.filter((word): word is Bench => word in files);
const numbers = words.filter((word) => !(word in files));
const chosen = named.length > 0 ? named : benches;
/** Rounds, requests or songs. */
const knowSizes: Bench[] = ["rendering", "refusals", "scale", "worker"];
// The others serve or upload what they have built.
const needBuild: Bench[] = ["rendering", "refusals", "uploads", "scale"];
if (chosen.some((name) => needBuild.includes(name))) {
  const { status } = spawnSync("npm", ["run", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(1);
}
for (const name of chosen) {
  console.log(`\n## ${name}\n`);
  const file = join(import.meta.dirname, files[name]);
  const sizes = knowSizes.includes(name) ? numbers : [];
  const before = name === "rendering" && options.before ? [`--before=${options.before}`] : [];
  const args = [file, ...sizes, ...before];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
