/**
 * `node test/bench/scale/scale.ts [sizes…]`: the database cost of every page, action, queue batch and
 * cron of the built Worker (run `npm run build` first), by default with 1,000, 10,000, 100,000 and
 * 1,000,000 songs in rotation. Prints two Markdown tables, one by run and one by statement; exits with
 * 1 if an aim is missed. If 100,000 is among the sizes, it also prints the bytes per row. Not part of
 * `npm test`: a million songs take 6 GB of disk and some minutes.
 */
import { findViolations } from "../../support/database/invariants.ts";
import { type CountedApp, newUser, serveCounted } from "../worker/counted-app.ts";
import { type Cast, fill } from "./generate.ts";
import { type Outcome, report } from "./report.ts";
import { type RowSize, rowSizes, rowSizesTable } from "./row-sizes.ts";
import { runs } from "./runs.ts";
import type { Run } from "./world.ts";

const standardSizes = [1000, 10_000, 100_000, 1_000_000];
/** The default number of repetitions of a run. */
const repetitions = 5;
/** The largest size at which the invariants are checked, as a test of the generator. */
const checkedUpTo = 10_000;
const sizeOfRows = 100_000;

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(...standardSizes);
if (sizes.some((size) => !(Number.isInteger(size) && size >= 1000))) {
  throw new Error("Sizes are whole numbers of songs from 1,000.");
}

// On exit, everything open is closed and removed.
const outcomes: Outcome[] = [];
const measured: number[] = [];
let sizesOfRows: RowSize[] | null = null;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Stopped before the last size is done, it reports those that are.
  process.on(signal, () => {
    if (measured.length > 0) reportMeasured();
    process.exit(1);
  });
}
for (const size of sizes) {
  outcomes.push(...(await measureSize(size)));
  measured.push(size);
}
if (reportMeasured().length > 0) process.exitCode = 1;

function reportMeasured(): string[] {
  const missed = report(measured, outcomes);
  if (sizesOfRows) console.log(rowSizesTable(sizesOfRows));
  return missed;
}

async function measureSize(size: number): Promise<Outcome[]> {
  const began = performance.now();
  const { app, filled: cast } = await serveCounted(async (database) => {
    const filled = await fill(database, size, Date.now());
    const violations = size <= checkedUpTo ? await findViolations(database) : [];
    if (violations.length > 0) throw new Error(JSON.stringify(violations.map(({ name }) => name)));
    if (size === sizeOfRows) sizesOfRows = rowSizes(database);
    return filled;
  });
  try {
    console.error(`${size}: filled after ${seconds(began)} s`);
    const done: Outcome[] = [];
    for (const run of runs) done.push(await measureRun(app, cast, run, size));
    console.error(`${size}: measured after ${seconds(began)} s`);
    return done;
  } finally {
    await app.close();
  }
}

async function measureRun(app: CountedApp, cast: Cast, run: Run, size: number): Promise<Outcome> {
  const { who, times = repetitions, status } = run;
  const outcome: Outcome = { size, run, rounds: [], times: new Map(), error: null };
  try {
    for (let round = 0; round < times; round += 1) {
      const asked = await run.prepare(app, who ? cast[who] : await newUser(app));
      await app.statements();
      await app.ask(asked, status);
      outcome.rounds.push(await app.statements());
    }
    // Each read is timed again, many times in a row. After runs that happen only once, it would not be the same.
    const reads = run.once ? [] : (outcome.rounds.at(-1) ?? []);
    for (const one of reads) {
      if (/^\s*select/i.test(one.sql)) outcome.times.set(one.sql, await app.timeOf(one));
    }
  } catch (error) {
    outcome.error = error;
    console.error(`${run.name}, ${who ?? "anybody"}`, error);
  }
  return outcome;
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}
