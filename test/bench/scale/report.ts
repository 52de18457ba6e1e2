/** Reports the measurements of test/bench/scale/scale.ts as Markdown. */
import { budgets } from "../../support/budgets.ts";
import { printTable } from "../tables.ts";
import type { Sent } from "../worker/counted-app.ts";
import type { Run } from "./world.ts";

/** The measurement of a run at one size. */
export interface Outcome {
  size: number;
  run: Run;
  /** The statements of each repetition. */
  rounds: Sent[][];
  /** The error that ended the measurement, or null. */
  error: unknown;
}

interface Cost {
  trips: number;
  read: number;
  written: number;
}

/** How much more than at the smallest size a run may read without counting as growing. */
const tolerance = { times: 1.1, rows: 10 };
/** Fewer rows than this are no growth, but the difference between one song and the next. */
const few = 60;
const { screen, rating } = budgets.rows;

/** Prints the table. @returns descriptions of the missed aims. */
export function report(sizes: number[], outcomes: Outcome[]): string[] {
  const missed: string[] = [];
  const lines = [...new Set(outcomes.map(({ run }) => run))].map((run) => {
    const measured = sizes.flatMap((size) =>
      outcomes.filter((one) => one.run === run && one.size === size),
    );
    const costs = measured.map(({ rounds }) => costOf(rounds));
    const failed = measured.filter(({ error }) => error !== null);
    const faults = [...faultsOf(run, costs), ...failed.map(({ size }) => `failed at ${size}`)];
    const name = run.who ? `${run.name}, ${run.who}` : run.name;
    missed.push(...faults.map((fault) => `${name}: ${fault}`));
    const notes = run.kind === "linear" ? [`${slopeOf(sizes, costs)} rows a song`] : [];
    const trips = Math.max(...costs.map((cost) => cost.trips));
    const cells = costs.map(({ read, written }) => `${read} / ${written}`);
    return [name, trips, ...cells, [...notes, ...faults].join(", ")];
  });
  const heads = sizes.map((size) => size.toLocaleString("en"));
  printTable(["rows read / written", "trips", ...heads, ""], lines);
  return missed;
}

function faultsOf({ kind }: Run, costs: Cost[]): string[] {
  if (kind === "once") return [];
  const most = (key: "read" | "written") => Math.max(...costs.map((cost) => cost[key]));
  const faults: string[] = [];
  const mostRead = { rating: rating.read, screen, linear: Infinity }[kind ?? "linear"];
  if (most("read") > mostRead) faults.push(`reads ${most("read")}`);
  if (kind === "rating" && most("written") > rating.written)
    faults.push(`writes ${most("written")}`);
  if (kind !== "linear" && grows(costs)) faults.push("grows");
  return faults;
}

/** Rows read more for each song in rotation, between the smallest and the largest size. */
function slopeOf(sizes: number[], costs: Cost[]): string {
  const more = (costs.at(-1)?.read ?? 0) - (costs[0]?.read ?? 0);
  return (more / Math.max(1, (sizes.at(-1) ?? 0) - (sizes[0] ?? 0))).toFixed(2);
}

/** The maximum over all repetitions. */
function costOf(rounds: Sent[][]): Cost {
  const most = (of: (round: Sent[]) => number) => Math.max(0, ...rounds.map(of));
  const sum = (key: "read" | "written") =>
    most((round) => round.reduce((total, one) => total + one[key], 0));
  const trips = most((round) => new Set(round.map(({ trip }) => trip)).size);
  return { trips, read: sum("read"), written: sum("written") };
}

/** Whether more rows are read at the largest size than at the smallest, beyond the tolerance. */
function grows(costs: Cost[]): boolean {
  const [first = 0, last = 0] = [costs[0]?.read, costs.at(-1)?.read];
  return last > Math.max(few, first * tolerance.times + tolerance.rows);
}
