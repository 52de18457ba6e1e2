/**
 * `npm run bench -- cost`: what a thousand active musicians a month cost on Cloudflare's price list.
 * Measures rows and processor time of each page and action on the built Worker with 1,000 songs in
 * rotation, multiplies them by what a musician does in a month (month.ts), and prints Markdown tables.
 * Rows are the same on any machine. Processor time is that of workerd with the database in it, so that
 * the real one is less. Not part of `npm test`.
 */

import { type Cast, fill } from "../scale/generate.ts";
import { runs } from "../scale/runs.ts";
import { type CountedApp, newUser, serveCounted } from "../worker/counted-app.ts";
import { processorTime, workerds } from "../worker/served-worker.ts";
import {
  bytes,
  bytesOfFiles,
  type Habit,
  habits,
  queueOperations,
  rowsDeletedLater,
  writesPerDeletedRow,
} from "./month.ts";
import { type Line, planPerMonth, prices } from "./prices.ts";

const repetitions = 5;
const cronsPerMonth = 30 * 24 * 6;
const sizes = [1000, 10_000, 100_000];
type Usage = Record<Line, number>;

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const before = new Set(workerds());
const { app, filled: cast } = await serveCounted((database) => fill(database, 1000, Date.now()));
const usage = emptyUsage();
let fixed: Usage;
try {
  const pid = workerds().find((one) => !before.has(one)) ?? 0;
  console.log(
    "| | times a month | rows read | rows written | files written | files read | processor ms |",
  );
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  for (const habit of habits) {
    const { ms, ...counts } = await measure(habit, pid);
    const { read, written, classA, classB } = counts;
    const cells = [read, written, classA, classB].map((value) => value.toFixed(0));
    console.log(`| ${[habit.name, habit.times.toFixed(1), ...cells, ms.toFixed(1)].join(" | ")} |`);
    usage.classA += habit.times * classA;
    usage.classB += habit.times * classB;
    if (!habit.queued) usage.requests += habit.times;
    usage.rowsRead += habit.times * read;
    usage.rowsWritten += habit.times * written;
    usage.cpuMs += habit.times * ms;
    // Each request says one line, and an action another one, which is also counted.
    usage.logLines += 1.5 * habit.times;
    usage.dataPoints += 1.5 * habit.times;
  }
  fixed = await measureCron(pid);
} finally {
  await app.close();
}
usage.rowsWritten += rowsDeletedLater * writesPerDeletedRow;
usage.queueOperations = queueOperations;
// After a year.
usage.bytes = 12 * bytes.kept + bytes.passing;
usage.fileBytes = bytesOfFiles;
report();

async function measure({ name, who }: Habit, pid: number) {
  const run = runs.find((one) => one.name === name && one.who === who);
  if (!run) throw new Error(`The scale measurement has no ${name}, ${who ?? "anybody"}.`);
  const sum = { read: 0, written: 0, classA: 0, classB: 0, ms: 0 };
  for (let round = 0; round <= repetitions; round += 1) {
    const asked = await run.prepare(app, who ? cast[who as keyof Cast] : await newUser(app));
    await forgetCounts();
    const cost = await costOf(app, pid, () => app.ask(asked, run.status));
    // The first time, code is still being compiled.
    if (round === 0) continue;
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += cost[key] / repetitions;
  }
  return sum;
}

async function forgetCounts(): Promise<void> {
  await app.statements();
  await app.fileOperations();
}

async function costOf(counted: CountedApp, pid: number, work: () => Promise<unknown>) {
  const began = processorTime(pid);
  await work();
  const ms = processorTime(pid) - began;
  const sent = await counted.statements();
  return {
    ms,
    ...(await counted.fileOperations()),
    read: sent.reduce((total, one) => total + one.read, 0),
    written: sent.reduce((total, one) => total + one.written, 0),
  };
}

/** The jobs of every ten minutes with nothing due, which cost the same however many musicians there are. */
async function measureCron(pid: number): Promise<Usage> {
  const cron = { path: "/bench/cron?cron=*/10+*+*+*+*" };
  // What is due is done by these.
  for (let time = 0; time < 12; time += 1) await app.ask(cron);
  await forgetCounts();
  const { read, written, ms, ...files } = await costOf(app, pid, () => app.ask(cron));
  const rows = { rowsRead: read, rowsWritten: written };
  const cost = { cpuMs: ms, ...rows, ...files, logLines: 6, dataPoints: 6 };
  const month = Object.entries(cost).map(([line, value]) => [line, value * cronsPerMonth]);
  return { ...emptyUsage(), requests: 0, ...Object.fromEntries(month) };
}

function emptyUsage(): Usage {
  const lines = Object.keys(prices).map((line) => [line, 0]);
  return Object.fromEntries(lines) as Usage;
}

function report(): void {
  const heads = sizes.map((size) => `${size.toLocaleString("en")} musicians`);
  console.log(
    `\n| | a musician, a month | the jobs | included | ${heads.join(" | ")} | used up by |`,
  );
  console.log(`|---|--:|--:|--:|${heads.map(() => "--:").join("|")}|--:|`);
  const totals = sizes.map(() => planPerMonth);
  for (const [line, { name, unit, included, perUnit }] of Object.entries(prices) as [
    Line,
    (typeof prices)[Line],
  ][]) {
    const costs = sizes.map((size) => {
      const units = (fixed[line] + size * usage[line]) / unit;
      return Math.max(0, units - included) * perUnit;
    });
    costs.forEach((cost, index) => {
      totals[index] = (totals[index] ?? 0) + cost;
    });
    const usedUpBy = (included * unit - fixed[line]) / usage[line];
    const cells = [usage[line], fixed[line], included * unit].map((value) =>
      Math.round(value).toLocaleString("en"),
    );
    const dollars = costs.map((cost) => cost.toFixed(2));
    const round = Number(usedUpBy.toPrecision(2)).toLocaleString("en");
    console.log(`| ${name} | ${[...cells, ...dollars, round].join(" | ")} |`);
  }
  console.log(
    `| **USD a month, with the plan** | | | | ${totals.map((total) => total.toFixed(2)).join(" | ")} | |`,
  );
  const beyond = (Object.entries(prices) as [Line, (typeof prices)[Line]][])
    .map(([line, { name, unit, perUnit }]) => ({
      name,
      dollars: ((1000 * usage[line]) / unit) * perUnit,
    }))
    .toSorted((a, b) => b.dollars - a.dollars);
  const list = beyond.map(({ name, dollars }) => `${name} ${dollars.toFixed(3)}`).join(", ");
  console.log(
    `\nBeyond what is included, a thousand more musicians cost, in USD a month: ${list}.`,
  );
}
