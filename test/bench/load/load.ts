/**
 * `npm run bench -- load`: how many musicians the product bears on this machine. Starts it as `npm start`
 * does, with the stand-ins, and lets more and more musicians make whole journeys at once, each stage for
 * some seconds; then as few as at first again. Prints a Markdown table, what failed, and whether the
 * database holds what the musicians were told. Takes some four minutes, on loopback only. Exits with 1 if
 * anything was lost or an invariant is broken. Not part of `npm test`.
 */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { musicians, randomFrom } from "../../sandbox/catalogue.ts";
import { findViolations } from "../../support/database/invariants.ts";
import { databasesAt } from "../../support/database/local-databases.ts";
import { type ServedProduct, withProduct } from "../served-product.ts";
import type { Answered } from "./browser.ts";
import { makeJourney, type Told } from "./journey.ts";

const stageMs = 25_000;
/** How long every song is here. */
const songMs = 5000;
const sizes = [5, 10, 20, 40, 80];
/** After the last stage, before the first one is repeated. */
const restMs = 5000;

interface Stage {
  name: string;
  musicians: number;
  answers: Answered[];
}

await withProduct(async (product) => {
  const [file = ""] = databasesAt(product.folder);
  shortenSongs(file);
  const since = Date.now();
  const told: Told = { ratings: 0, submissions: 0, unknown: 0 };
  const first = sizes[0] ?? 1;
  // Compiles what the first requests would otherwise wait for.
  await runStage(product, told, { name: "warming up", musicians: first });
  const stages: Stage[] = [];
  for (const size of sizes) {
    stages.push(await runStage(product, told, { name: "", musicians: size }));
  }
  await wait(restMs);
  stages.push(await runStage(product, told, { name: "afterwards", musicians: first }));
  report(stages);
  await compare(file, since, told);
});

/**
 * In the product; the stand-in plays them on as long as they are, and tells their true length whenever a
 * listen is confirmed, which the trigger takes back.
 */
function shortenSongs(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA busy_timeout = 5000; UPDATE songs SET duration_ms = ${songMs};
    CREATE TRIGGER short_songs AFTER UPDATE OF duration_ms ON songs WHEN NEW.duration_ms <> ${songMs}
    BEGIN UPDATE songs SET duration_ms = ${songMs} WHERE id = NEW.id; END`);
  database.close();
}

async function runStage(
  product: ServedProduct,
  told: Told,
  { name, musicians: count }: Omit<Stage, "answers">,
): Promise<Stage> {
  const answers: Answered[] = [];
  const random = randomFrom(`load of ${count} ${name}`);
  const end = performance.now() + stageMs;
  // Each has an account of their own, and logs in anew at each stage.
  const crowd = musicians.filter(({ id }) => !id.startsWith("demo-")).slice(0, count);
  if (crowd.length < count) throw new Error(`The stand-in has ${crowd.length} musicians.`);
  const journey = {
    product,
    told,
    random,
    note: (one: Answered) => void answers.push(one),
    goesOn: () => performance.now() < end,
  };
  await Promise.all(crowd.map((one) => makeJourney(journey, one)));
  const seconds = ((performance.now() - end + stageMs) / 1000).toFixed(0);
  console.error(`${count} musicians ${name}: ${answers.length} answers in ${seconds} s`);
  return { name, musicians: count, answers };
}

function report(stages: Stage[]): void {
  const base = median(stages[0]?.answers ?? []);
  console.log(
    "| musicians at once | answers | a second | median ms | of the first | 95 % within | refused (4xx) | failed (5xx, none) |",
  );
  console.log("|---|--:|--:|--:|--:|--:|--:|--:|");
  for (const { name, musicians: count, answers } of stages) {
    const cells = [
      `${count}${name && `, ${name}`}`,
      answers.length,
      (answers.length / (stageMs / 1000)).toFixed(0),
      median(answers).toFixed(0),
      (median(answers) / base).toFixed(1),
      within(answers, 0.95).toFixed(0),
      answers.filter(({ status }) => status >= 400 && status < 500).length,
      answers.filter(({ status }) => status >= 500 || status === 0).length,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  const all = stages.flatMap(({ answers }) => answers);
  const kinds = [...new Set(all.map(({ what }) => what))].sort();
  console.log(`\n| median ms | ${stages.map((one) => one.musicians).join(" | ")} |`);
  console.log(`|---|${stages.map(() => "--:").join("|")}|`);
  for (const kind of kinds) {
    const of = stages.map(({ answers }) =>
      median(answers.filter(({ what }) => what === kind)).toFixed(0),
    );
    console.log(`| ${kind} | ${of.join(" | ")} |`);
  }
  const faults = new Map<string, number>();
  for (const { what, status } of all.filter((one) => one.status >= 400 || one.status === 0)) {
    const fault = `${what}: ${status || "no answer"}`;
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }
  const list = [...faults].map(([fault, times]) => `${fault}, ${times} times`);
  console.log(`\nNot answered as asked: ${list.join("; ") || "nothing"}.`);
}

/** Compares what the musicians were told with what the database holds, and checks its invariants. */
async function compare(file: string, since: number, told: Told): Promise<void> {
  // What is under way has ended by then.
  await wait(2000);
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (table: string) =>
    (
      database
        .prepare(`SELECT count(*) AS rows FROM ${table} WHERE created_at >= ?`)
        .get(since) as { rows: number }
    ).rows;
  const found = { ratings: count("ratings"), submissions: count("submissions") };
  const violations = await findViolations(database);
  database.close();
  console.log(
    `\nTold and stored: ${told.ratings} and ${found.ratings} ratings, ${told.submissions} and ${found.submissions} submissions; ${told.unknown} without an answer. Invariants broken: ${violations.map(({ name }) => name).join(", ") || "none"}.`,
  );
  const more = found.ratings - told.ratings + (found.submissions - told.submissions);
  const isLost = found.ratings < told.ratings || found.submissions < told.submissions;
  if (isLost || more > told.unknown || violations.length > 0) process.exitCode = 1;
}

function median(answers: Answered[]): number {
  return within(answers, 0.5);
}

/** The milliseconds within which a share of the answers came. */
function within(answers: Answered[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
