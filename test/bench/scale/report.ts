/** Reports the measurements of test/bench/scale/scale.ts as Markdown. */
import type { Sent } from "../worker/counted-app.ts";
import type { Run } from "./world.ts";

/** The measurement of a run at one size. */
export interface Outcome {
  size: number;
  run: Run;
  /** The statements of each repetition. */
  rounds: Sent[][];
  /** The milliseconds of each of its reads, by statement. */
  times: Map<string, number>;
  /** The error that ended the measurement, or null. */
  error: unknown;
}

/** The cost of a page or a statement. */
interface Cost {
  trips: number;
  read: number;
  written: number;
  ms: number;
}

/** The limits for a carousel and a rating, in rows. */
const aims = { carousel: { read: 1000 }, rating: { read: 50, written: 20 } };
/** How much more than at the smallest size a run may read without counting as growing. */
const tolerance = { times: 1.1, rows: 10 };
/** Fewer rows than this are no growth, but the difference between one song and the next. */
const few = 60;

/** Below this many milliseconds, differences in time mean nothing. */
const tellingMs = 0.5;

/** Prints the tables. @returns descriptions of the missed aims. */
export function report(sizes: number[], outcomes: Outcome[]): string[] {
  const heads = sizes.map((size) => size.toLocaleString("en"));
  const missed = reportRuns(sizes, heads, outcomes);
  console.log("");
  reportStatements(sizes, heads, outcomes);
  console.log("");
  for (const fault of missed) console.log(`- missed: ${fault}`);
  return missed;
}

function reportRuns(sizes: number[], heads: string[], outcomes: Outcome[]): string[] {
  const missed: string[] = [];
  table(["rows read / written", "", "trips", ...heads, ""]);
  for (const run of new Set(outcomes.map((one) => one.run))) {
    const costs = sizes.map((size) => costOf(find(outcomes, run, size).rounds));
    const faults = run.once ? [] : faultsOf(run, costs);
    const failed = sizes.filter((size) => find(outcomes, run, size).error !== null);
    faults.push(...failed.map((size) => `failed at ${size}`));
    missed.push(...faults.map((fault) => `${nameOf(run)}: ${fault}`));
    const trips = Math.max(...costs.map((cost) => cost.trips));
    const cells = costs.map(({ read, written }) => `${read} / ${written}`);
    const slope = run.linear ? [`${slopeOf(sizes, costs)} rows a song`] : [];
    const notes = [...(run.once ? ["once"] : []), ...slope, ...faults];
    row([run.name, run.who ?? "", trips, ...cells, notes.join(", ")]);
  }
  return missed;
}

function faultsOf({ kind, linear }: Run, costs: Cost[]): string[] {
  const most = (key: "read" | "written") => Math.max(...costs.map((cost) => cost[key]));
  const faults: string[] = [];
  if (kind && most("read") >= aims[kind].read) faults.push(`reads ${most("read")}`);
  if (kind === "rating" && most("written") > aims.rating.written) {
    faults.push(`writes ${most("written")}`);
  }
  if (!linear && grows(costs)) faults.push("grows");
  return faults;
}

/** Rows read more for each song in rotation, between the smallest and the largest size. */
function slopeOf(sizes: number[], costs: Cost[]): string {
  const [size = 0, first] = [sizes[0], costs[0]];
  const more = (costs.at(-1)?.read ?? 0) - (first?.read ?? 0);
  return (more / Math.max(1, (sizes.at(-1) ?? 0) - size)).toFixed(2);
}

function reportStatements(sizes: number[], heads: string[], outcomes: Outcome[]): void {
  table(["statement: rows read, ms", "most expensive in", ...heads, "time, last : first", ""]);
  const common = new Map<string, number>();
  for (const statement of statementsOf(outcomes)) {
    const costs = sizes.map((size) => mostExpensive(outcomes, statement, size));
    const [first, last] = [costs[0], costs.at(-1)];
    if (!first || !last) continue;
    const { run, read } = last;
    const usual = common.get(statement.sql);
    if (!run.once && !run.extreme) common.set(statement.sql, read);
    // Costs no more than in other runs, so it needs no line of its own.
    else if (usual !== undefined && read <= usual * tolerance.times + tolerance.rows) continue;
    const cells = costs.map((cost) => `${cost.read}, ${cost.ms.toFixed(2)}`);
    const slow = Math.max(first.ms, last.ms) >= tellingMs;
    const ratio = slow ? (last.ms / Math.max(first.ms, 0.1)).toFixed(1) : "";
    const more = statement.runs.length > 1 ? ` (of ${statement.runs.length})` : "";
    const where = `${nameOf(run)}${more}`;
    row([shortened(statement.sql), where, ...cells, ratio, grows(costs) ? "grows" : ""]);
  }
}

/** A statement with the runs that send it. */
interface Statement {
  sql: string;
  runs: Run[];
}

/** Every statement once. Runs that are `once` or `extreme` have separate lines. */
function statementsOf(outcomes: Outcome[]): Statement[] {
  const found = new Map<string, Statement>();
  for (const { run, rounds } of outcomes) {
    for (const { sql } of rounds.flat()) {
      const text = normalised(sql);
      const key = run.once || run.extreme ? `${nameOf(run)} ${text}` : text;
      const statement = found.get(key) ?? { sql: text, runs: [] };
      if (!statement.runs.includes(run)) statement.runs.push(run);
      found.set(key, statement);
    }
  }
  // Separate lines come after those with which they are compared.
  const apart = ({ runs: [run] }: Statement) => Number(run?.once || run?.extreme || false);
  return [...found.values()].sort((one, other) => apart(one) - apart(other));
}

/** The cost of a statement at a size in the run in which it is most expensive, with that run. */
function mostExpensive(
  outcomes: Outcome[],
  { sql, runs }: Statement,
  size: number,
): Cost & { run: Run } {
  const costs = runs.map((run) => {
    const { rounds, times } = find(outcomes, run, size);
    const sent = rounds.flatMap((round) => round.filter((one) => normalised(one.sql) === sql));
    const timed = [...times].find(([text]) => normalised(text) === sql)?.[1];
    const cost = costOf(sent.map((one) => [one]));
    return { ...cost, ms: timed ?? cost.ms, run };
  });
  const [first] = costs.toSorted((a, b) => b.read - a.read || b.ms - a.ms);
  if (!first) throw new Error("a statement that nothing sends");
  return first;
}

/** The maximum of rows over all repetitions, and the average of milliseconds, because D1's clock is coarse. */
function costOf(rounds: Sent[][]): Cost {
  const sum = (round: Sent[], key: "read" | "written" | "ms") =>
    round.reduce((total, one) => total + one[key], 0);
  const most = (values: number[]) => Math.max(0, ...values);
  return {
    trips: most(rounds.map((round) => new Set(round.map(({ trip }) => trip)).size)),
    read: most(rounds.map((round) => sum(round, "read"))),
    written: most(rounds.map((round) => sum(round, "written"))),
    ms: rounds.reduce((total, round) => total + sum(round, "ms"), 0) / Math.max(1, rounds.length),
  };
}

/** Whether more rows are read at any size than the tolerance allows. */
function grows(costs: Cost[]): boolean {
  const [first = 0, ...more] = costs.map(({ read }) => read);
  return more.some((read) => read > Math.max(few, first * tolerance.times + tolerance.rows));
}

function find(outcomes: Outcome[], run: Run, size: number): Outcome {
  const found = outcomes.find((one) => one.run === run && one.size === size);
  if (!found) throw new Error(`${run.name} was not measured at ${size}`);
  return found;
}

/** The statement without the number of values in its lists. */
function normalised(sql: string): string {
  return sql
    .replace(/\s+/g, " ")
    .replace(/(\(\?(, ?\?)*\))(, ?\(\?(, ?\?)*\))+/g, "$1…")
    .replace(/\?(, ?\?)+/g, "?…");
}

/** The verb of a statement and the tables in it, in order. */
function shortened(sql: string): string {
  const verb = /^\W*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? "";
  const tables = [...sql.matchAll(/\b(?:from|join|into|update)\s+"?([a-z_]+)"?/gi)].map(
    ([, table = ""]) => table.toLowerCase(),
  );
  return `${verb} ${[...new Set(tables)].filter((name) => name !== "set").join(", ")}`;
}

function nameOf({ name, who }: Run): string {
  return who ? `${name}, ${who}` : name;
}

function table(heads: string[]): void {
  row(heads);
  row(heads.map((_, index) => (index < 2 ? "---" : "--:")));
}

function row(cells: (string | number)[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}
