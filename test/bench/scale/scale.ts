/**
 * `npm run bench -- scale [sizes…]`: the database cost of pages, actions, queue batches and crons of the
 * built Worker, by default with 1,000, 10,000, 100,000 and 1,000,000 songs in rotation. Exits with 1 if
 * an aim is missed. A million songs take 6 GB of disk and some minutes.
 */
import { readArguments } from "../../../.ops/command-line.ts";
import { findViolations } from "../../support/database/invariants.ts";
import { type CountedApp, newUser, serveCounted } from "../worker/counted-app.ts";
import { cast, fill } from "./generate.ts";
import { type Outcome, report } from "./report.ts";
import { runs } from "./runs.ts";
import type { Run } from "./world.ts";

/** The default number of repetitions of a run. */
const repetitions = 5;
/** The largest size at which the invariants are checked, as a test of the generator. */
const checkedUpTo = 10_000;

const { words } = readArguments({
  usage: "npm run bench -- scale [numbers of songs, from 1000]",
  words: { most: Number.POSITIVE_INFINITY, form: /^[1-9]\d{3,}$/ },
});
const sizes = words.length > 0 ? words.map(Number) : [1000, 10_000, 100_000, 1_000_000];

const outcomes: Outcome[] = [];
// Removes what is open.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
for (const size of sizes) outcomes.push(...(await measureSize(size)));
const missed = report(sizes, outcomes);
for (const fault of missed) console.log(`- missed: ${fault}`);
if (missed.length > 0) process.exitCode = 1;

async function measureSize(size: number): Promise<Outcome[]> {
  const began = performance.now();
  const tell = (what: string) =>
    console.error(`${size}: ${what} after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const app = await serveCounted(async (database) => {
    fill(database, size, Date.now());
    const violations = size <= checkedUpTo ? await findViolations(database) : [];
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
  });
  try {
    tell("filled");
    const done: Outcome[] = [];
    for (const run of runs) done.push(await measureRun(app, run, size));
    tell("measured");
    return done;
  } finally {
    await app.close();
  }
}

async function measureRun(app: CountedApp, run: Run, size: number): Promise<Outcome> {
  const { who, times = repetitions, status } = run;
  const outcome: Outcome = { size, run, rounds: [], error: null };
  try {
    for (let round = 0; round < times; round += 1) {
      const asked = await run.prepare(app, who ? cast[who] : await newUser(app));
      await app.statements();
      await app.ask(asked, status);
      outcome.rounds.push(await app.statements());
    }
  } catch (error) {
    outcome.error = error;
    console.error(`${run.name}, ${who ?? "anybody"}`, error);
  }
  return outcome;
}
