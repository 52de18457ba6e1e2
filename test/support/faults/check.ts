/** What must hold after a fault, and after it was tried again. */
import { env } from "cloudflare:workers";
import { emptyDatabase } from "../database/contents";
import { findViolations } from "../database/invariants";
import { type Answer, amid, type Caller, type Outcome, type Step, type StepFate } from "./run";
import type { Prepared, Scenario } from "./scenario";

/** A fault, and what is known of it. */
export interface Fault {
  name: string;
  fateOf(step: Step): StepFate;
  caller?: Caller;
  /** The Worker is dead after that: what it would have answered reaches nobody. */
  deadly?: boolean;
  /** What may be answered where it did not work; 500 and more where nothing else is said. */
  statuses?: number[];
}

/** The first row of a query; {} where there is none. */
export async function firstRow(
  sql: string,
  ...values: (string | number)[]
): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare(sql)
    .bind(...values)
    .first<Record<string, unknown>>();
  return row ?? {};
}

/** The steps of a scenario where nothing fails. @throws Error where it does not come to its end. */
export async function healthySteps(scenario: Scenario, musician: string): Promise<Step[]> {
  await emptyDatabase();
  const prepared = await scenario.prepare(musician);
  const healthy = await amid(fine, (around) => prepared.act(around, "person"));
  const problems = [...(await afterwards(scenario, prepared, healthy)), ...(await violations())];
  if (!(await isDone(scenario, prepared))) problems.push("it is not done");
  const asked = healthy.steps.some(({ kind }) => kind === "outside");
  if (asked !== (scenario.asksOutside ?? false)) problems.push(`asksOutside is ${asked}`);
  if (problems.length > 0) throw new Error(`${scenario.name}: ${problems.join("; ")}`);
  return healthy.steps;
}

/** What is wrong after a fault and after another try, in words; an empty list is what it should be. */
export async function problemsOf(
  scenario: Scenario,
  musician: string,
  { name, fateOf, caller = "person", deadly = false, statuses }: Fault,
): Promise<string[]> {
  await emptyDatabase();
  const prepared = await scenario.prepare(musician);
  const struck = await amid(fateOf, (around) => prepared.act(around, caller));
  const problems = await violations();
  if (prepared.kept && !(await prepared.kept())) problems.push("something was lost");
  const done = await isDone(scenario, prepared);
  if (struck.value && !deadly) {
    const reader = scenario.answers ?? (caller === "person" ? "page" : "JSON");
    if (struck.value.status >= 400) problems.push(...unclear(struck.value, reader, statuses));
    else problems.push(...(await afterwards(scenario, prepared, struck, prepared.without)));
  }

  const retried = await amid(fine, (around) => (prepared.again ?? prepared.act)(around, caller));
  const { value } = retried;
  const refused = value && value.status >= 400;
  if (refused && !(done && scenario.already && value.text.includes(scenario.already))) {
    problems.push(`another try is answered ${value.status} ${value.text.slice(0, 200)}`);
  } else if (!refused) {
    problems.push(...(await afterwards(scenario, prepared, retried)));
  }
  problems.push(...(await violations()));
  if (!(await isDone(scenario, prepared))) {
    problems.push(`another try leads to ${JSON.stringify(await prepared.state())}`);
  }
  return problems.map((problem) => `${scenario.name}: ${name}: ${problem}`);
}

function fine(): StepFate {
  return "fine";
}

/** What claims to have worked must have. */
async function afterwards(
  scenario: Scenario,
  prepared: Prepared,
  { value }: Outcome<Answer | undefined>,
  without?: RegExp,
): Promise<string[]> {
  if (!value) return [];
  const problems: string[] = [];
  const { status, text } = value;
  if (status >= 400) problems.push(`it is answered ${status} ${text.slice(0, 200)}`);
  const { shows = /^/ } = prepared;
  if (!shows.test(text) && !without?.test(text)) problems.push("the page does not show it");
  if (!(await isDone(scenario, prepared))) {
    problems.push(`${status} claims what is not so: ${JSON.stringify(await prepared.state())}`);
  }
  return problems;
}

async function isDone({ done }: Scenario, { state }: Prepared): Promise<boolean> {
  return JSON.stringify(sorted(await state())) === JSON.stringify(sorted(done));
}

function sorted(row: Record<string, unknown>): [string, unknown][] {
  return Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Words of the machinery, which nobody is to read. */
const internals =
  /D1_|SQLITE|ordered to|JSON at|malformed|drizzle|Unexpected Server Error|\w+Error:|\bat \w+ \(|(?:select|insert into|update|delete from) "|\bundefined\b|\[object |Network connection lost/i;

/** What whoever asked cannot make sense of in an answer that says no. */
function unclear(answer: Answer, reader: "page" | "JSON", statuses?: number[]): string[] {
  const problems: string[] = [];
  const { status, headers, text } = answer;
  const fits = statuses ? statuses.includes(status) : status >= 500;
  if (!fits) problems.push(`the status is ${status}: ${sentence(text)}`);
  const found = internals.exec(text);
  if (found) problems.push(`the answer tells "${found[0]}"`);
  const type = headers.get("Content-Type") ?? "";
  const isPage = type.startsWith("text/html") && /<h1[^>]*>[^<]+</.test(text);
  const isRead = reader === "page" ? isPage : isJsonError(text);
  if (!isRead) problems.push(`no ${reader} to read but ${type}: ${text.slice(0, 60)}`);
  return problems;
}

function isJsonError(text: string): boolean {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" && error.length > 10;
  } catch {
    return false;
  }
}

function sentence(text: string): string {
  return /<p class="lead">([^<]*)/.exec(text)?.[1] ?? text.slice(0, 200);
}

async function violations(): Promise<string[]> {
  const found = await findViolations(env.DB);
  return found.map(({ name, rows }) => `broken: ${name}: ${JSON.stringify(rows)}`);
}
