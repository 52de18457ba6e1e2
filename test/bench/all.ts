/**
 * `npm run bench`: runs all measurements one after the other, or those that are named, such as
 * `npm run bench -- worker mail`. Each prints Markdown tables; test/bench/README.md has the latest
 * results. Exits with 1 if one of them does.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const files = {
  rendering: "worker/rendering.ts",
  refusals: "worker/refusals.ts",
  scale: "scale/scale.ts",
  exchange: "exchange/exchange.ts",
  cost: "cost/cost.ts",
  load: "load/load.ts",
  weight: "browser/weight.ts",
  pictures: "browser/pictures.ts",
  browser: "browser/browser.ts",
  moves: "browser/moves.ts",
  worker: "worker/worker.ts",
  mail: "mail/mail.ts",
};
type Bench = keyof typeof files;
const benches = Object.keys(files) as Bench[];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in files));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${benches.join(", ")}.`);
  process.exit(1);
}
const { status: built } = spawnSync("node", [".ops/build.ts"], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (built !== 0) process.exit(1);
for (const name of named.length > 0 ? (named as Bench[]) : benches) {
  console.log(`\n## ${name}\n`);
  const file = join(import.meta.dirname, files[name]);
  const { status } = spawnSync(process.execPath, [file], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
