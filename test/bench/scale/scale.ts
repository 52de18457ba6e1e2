/**
 * `node test/bench/scale/scale.ts [sizes…]`: the rows that the built Worker (run `npm run build` first) reads
 * and writes from the carousel to a submission, by default with 1,000, 10,000, 100,000 and 1,000,000 songs in
 * rotation. Prints a Markdown table; exits with 1 if an aim is missed. Not part of `npm test`: a million
 * songs take gigabytes of disk and some minutes.
 */
import { findViolations } from "../../support/database/invariants.ts";
import { type CountedApp, type Sent, serveCounted } from "../worker/counted-app.ts";
import { type Cast, fill } from "./generate.ts";
import { type Run, runs } from "./runs.ts";

const standardSizes = [1000, 10_000, 100_000, 1_000_000];
const repetitions = 5;
/** The largest size at which the invariants are checked, as a test of the generator. */
const checkedUpTo = 10_000;
/** The limits for a carousel and a rating, in rows. */
const aims = { carousel: { read: 1000, written: 1000 }, rating: { read: 50, written: 20 } };

/** The most of all repetitions of a run at one size. */
interface Cost {
  trips: number;
  read: number;
  written: number;
}

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(...standardSizes);
if (sizes.some((size) => !(Number.isInteger(size) && size >= 1000))) {
  throw new Error("Sizes are whole numbers of songs from 1,000.");
}
// On exit, everything open is closed and removed.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const costs = new Map<Run, Cost[]>(runs.map((run) => [run, []]));
for (const size of sizes) await measureSize(size);
report();

async function measureSize(size: number): Promise<void> {
  const { app, filled: cast } = await serveCounted(async (database) => {
    const filled = await fill(database, size, Date.now());
    const violations = size <= checkedUpTo ? await findViolations(database) : [];
    if (violations.length > 0) throw new Error(JSON.stringify(violations.map(({ name }) => name)));
    return filled;
  });
  try {
    for (const run of runs) costs.get(run)?.push(await measureRun(app, cast, run));
  } finally {
    await app.close();
  }
}

async function measureRun(app: CountedApp, cast: Cast, run: Run): Promise<Cost> {
  const most: Cost = { trips: 0, read: 0, written: 0 };
  for (let round = 0; round < repetitions; round += 1) {
    const asked = await run.prepare(app, cast[run.who]);
    await app.statements();
    await app.ask(asked);
    const sent = await app.statements();
    const sum = (key: "read" | "written") =>
      sent.reduce((total: number, one: Sent) => total + one[key], 0);
    most.trips = Math.max(most.trips, new Set(sent.map(({ trip }) => trip)).size);
    most.read = Math.max(most.read, sum("read"));
    most.written = Math.max(most.written, sum("written"));
  }
  return most;
}

function report(): void {
  const heads = sizes.map((size) => size.toLocaleString("en"));
  console.log(`| rows read / written | | trips | ${heads.join(" | ")} | |`);
  console.log(`|---|---|--:|${"--:|".repeat(heads.length)}---|`);
  for (const [run, bySize] of costs) {
    const faults = faultsOf(run, bySize);
    if (faults.length > 0) process.exitCode = 1;
    const trips = Math.max(...bySize.map((cost) => cost.trips));
    const cells = bySize.map(({ read, written }) => `${read} / ${written}`);
    console.log(`| ${[run.name, run.who, trips, ...cells, faults.join(", ")].join(" | ")} |`);
  }
}

function faultsOf({ kind }: Run, bySize: Cost[]): string[] {
  const faults: string[] = [];
  const read = Math.max(...bySize.map((cost) => cost.read));
  const written = Math.max(...bySize.map((cost) => cost.written));
  if (kind && read >= aims[kind].read) faults.push(`reads ${read}`);
  if (kind && written > aims[kind].written) faults.push(`writes ${written}`);
  // A few rows more are no growth, but the difference between one song and the next.
  if (read > Math.max(60, (bySize[0]?.read ?? 0) * 1.1 + 10)) faults.push("grows");
  return faults;
}
