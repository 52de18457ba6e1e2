/** Prints how simulated exchanges went. */
import { type Setting, simulate } from "./simulate";

const days = 30;

/** Simulates exchanges of these sizes and prints a table. @returns whether all promises seem to be kept. */
export async function reportExchanges(sizes: number[]): Promise<boolean> {
  const settings = sizes.flatMap((musicians) => [
    ...(musicians <= 100 ? [{ musicians, days, floods: false }] : []),
    { musicians, days, floods: true },
  ]);
  const columns: Record<string, string>[] = [];
  let isWell = true;
  for (const setting of settings) {
    const { column, faults } = await measure(setting);
    columns.push(column);
    for (const fault of faults) console.error(fault);
    isWell &&= faults.length === 0;
  }
  const [first = {}] = columns;
  console.log(`| | ${settings.map(titleOf).join(" | ")} |`);
  console.log(`|---|${columns.map(() => "--:").join("|")}|`);
  for (const name of Object.keys(first)) {
    console.log(`| ${name} | ${columns.map((column) => column[name]).join(" | ")} |`);
  }
  return isWell;
}

function titleOf({ musicians, floods }: Setting): string {
  return `${musicians.toLocaleString("en")}${floods ? "" : ", nobody floods"}`;
}

async function measure(setting: Setting) {
  const began = performance.now();
  const log = console.log;
  // The app logs every event.
  console.log = () => undefined;
  const { tally, outcome, violations } = await simulate(setting).finally(() => {
    console.log = log;
  });
  const took = ((performance.now() - began) / 1000).toFixed(0);
  console.error(`${titleOf(setting)}: simulated in ${took} s`);
  const { visits, kept, passes } = tally;
  const column = {
    visits: count(visits.all),
    ratings: count(tally.ratings),
    "submissions, of them for nothing": `${count(outcome.submissions)}, ${count(outcome.free)}`,
    "passes: taste, known, report, does not play": ["taste", "known", "report", "unplayable"]
      .map((reason) => count(passes[reason] ?? 0))
      .join(", "),
    "passes beyond the limits": count(passes.refused ?? 0),
    "songs that did not play when pressed": count(tally.unplayable),
    "accounts deleted": count(tally.left),
    "hours until half have their five": hours(outcome.half),
    "until nine of ten": hours(outcome.nineOfTen),
    "until all": hours(outcome.all),
    "visits that found no song": share(visits.empty, visits.all),
    "visits that rated none": share(visits.idle, visits.all),
    "open promises at the end, resting": `${count(outcome.open)}, ${count(outcome.resting)}`,
    "the oldest open one, hours": hours(outcome.oldest),
    "the longest in line, hours": hours(outcome.oldestInLine),
    "kept before one a day older": share(kept.overtookByDate, kept.all),
    "kept before one a day longer in line": share(kept.overtookInLine, kept.all),
  };
  const faults = [
    ...violations.map(({ name, rows }) => `broken: ${name}: ${JSON.stringify(rows.slice(0, 3))}`),
    ...outcome.stuck.map((song) => `not kept: ${JSON.stringify(song)}`),
  ];
  return { column, faults };
}

function count(number: number): string {
  return number.toLocaleString("en");
}

function share(part: number, all: number): string {
  return `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
}

function hours(value: number): string {
  return Number.isFinite(value) ? value.toFixed(0) : "never so far";
}
