/**
 * `npm run bench -- exchange [musicians…]`: whether promises are kept. Simulates 60 and 1,000 musicians
 * for 30 days on the app's own functions and SQL, with a clock that the simulation sets, and prints a
 * Markdown table. The same numbers come out each time. Exits with 1 if a promise seems never to be kept
 * or an invariant is broken. Not part of `npm test`.
 */
import { join } from "node:path";
import { runnerImport } from "vite";

const sizes = process.argv.slice(2).map(Number);
const root = join(import.meta.dirname, "../../..");
// The app's imports need its aliases.
const { module } = await runnerImport<typeof import("./report")>(
  join(import.meta.dirname, "report.ts"),
  { root, configFile: false, logLevel: "error", resolve: { alias: { "~": join(root, "app") } } },
);
if (!(await module.reportExchanges(sizes.length > 0 ? sizes : [60, 1000]))) process.exitCode = 1;
