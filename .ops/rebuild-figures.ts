/**
 * `npm run rebuild-figures`: counts the operator's figures of the last thirty days again, from what the
 * database still has (.ops/README.md, "Figures"). Takes where that is, as wrangler does; without it, the local
 * database of `npm start`.
 */
import { spawnSync } from "node:child_process";
import { retentionDays } from "../app/db/periods.ts";
import { countDays, daysUntil } from "../app/operator/counting.ts";
import { readArguments } from "./command-line.ts";

const { options } = readArguments({
  usage: "npm run rebuild-figures -- [--remote] [--env <environment>]",
  options: { remote: { type: "boolean" }, env: { type: "string" } },
});

const now = Date.now();
// Of the day before them, some listens have been deleted already.
const days = daysUntil(now, retentionDays.listens);
const where = [
  options.remote ? "--remote" : "--local",
  ...(options.env ? ["--env", options.env] : []),
];
const sql = countDays(days, now).replaceAll(/\s+/g, " ");
const windows = process.platform === "win32";
const { status, stdout, stderr } = spawnSync(
  "wrangler",
  ["d1", "execute", "DB", ...where, "--yes", "--json", "--command", windows ? `"${sql}"` : sql],
  { encoding: "utf8", shell: windows, env: { ...process.env, CI: "1", NO_COLOR: "1" } },
);
if (status === 0) {
  console.log(`Counted again: ${days[0]} to ${days.at(-1)}.`);
} else {
  console.error(`${stdout ?? ""}${stderr ?? "wrangler did not start."}`);
  process.exitCode = 1;
}
