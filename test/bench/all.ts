/**
 * `npm run bench`: runs all measurements one after the other, or those that are named, such as
 * `npm run bench -- worker weight`. Numbers are passed on to those that know sizes. Each prints Markdown
 * tables; test/bench/README.md has the latest results. Exits with 1 if one of them does.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const files = {
  rendering: "worker/rendering.ts",
  refusals: "worker/refusals.ts",
  uploads: "worker/uploads.ts",
  scale: "scale/scale.ts",
  weight: "browser/weight.ts",
  pictures: "browser/pictures.ts",
  listening: "browser/listening.ts",
  browser: "browser/browser.ts",
  moves: "browser/moves.ts",
  worker: "worker/worker.ts",
};
type Bench = keyof typeof files;
const benches = Object.keys(files) as Bench[];
const { positionals, values } = parseArgs({
  options: { before: { type: "string" } },
  allowPositionals: true,
});
const numbers = positionals.filter((arg) => /^\d+$/.test(arg));
const named = positionals.filter((arg) => !numbers.includes(arg));
const unknown = named.filter((name) => !(name in files));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${benches.join(", ")}.`);
  process.exit(1);
}
const chosen = named.length > 0 ? (named as Bench[]) : benches;
// The others serve or upload what they have built.
const needBuild: Bench[] = ["rendering", "refusals", "uploads", "scale"];
if (chosen.some((name) => needBuild.includes(name))) {
  const { status } = spawnSync("npm", ["run", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) process.exit(1);
}
for (const name of chosen) {
  console.log(`\n## ${name}\n`);
  const file = join(import.meta.dirname, files[name]);
  const before = name === "rendering" && values.before ? [`--before=${values.before}`] : [];
  const args = [file, ...numbers, ...before];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
