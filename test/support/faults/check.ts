/** Checks what must hold after a fault, and after another attempt. */
import { env } from "cloudflare:workers";
import type { Prepared, Scenario } from "../actions/action";
import { emptyDatabase } from "../database/contents";
import { findViolations } from "../database/invariants";
import { type Answer, amid, type Caller, type Outcome, type Step, type StepFate } from "./run";

export interface Fault {
  name: string;
  fateOf(step: Step): StepFate;
  caller?: Caller;
  /** Whether the Worker dies, so that its response reaches nobody. */
  deadly?: boolean;
  statuses?: number[];
}

export async function healthySteps(scenario: Scenario, musician: string): Promise<Step[]> {
  await emptyDatabase();
  const prepared = await scenario.prepare(musician);
  const healthy = await amid(fine, (around) => prepared.act(around, "person"));
  const problems = [
    ...(await successProblems(scenario, prepared, healthy)),
    ...(await violations()),
  ];
  if (!(await isDone(scenario, prepared))) problems.push("it is not done");
  const asked = healthy.steps.some(({ kind }) => kind === "outside");
  if (asked !== (scenario.asksOutside ?? false)) problems.push(`asksOutside is ${asked}`);
  if (problems.length > 0) throw new Error(`${scenario.name}: ${problems.join("; ")}`);
  return healthy.steps;
}

/** Problems after a fault and after another attempt. */
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
    // Programs read JSON, even where a page would show what is wrong.
    const reader = caller === "program" ? "JSON" : (scenario.answers ?? "page");
    if (struck.value.status >= 400)
      problems.push(...refusalProblems(struck.value, reader, statuses));
    else problems.push(...(await successProblems(scenario, prepared, struck, prepared.without)));
  }

  const retried = await amid(fine, (around) => (prepared.again ?? prepared.act)(around, caller));
  const { value } = retried;
  const refused = value && value.status >= 400;
  if (refused && !(done && scenario.already && value.text.includes(scenario.already))) {
    problems.push(`another attempt gets ${value.status} ${value.text.slice(0, 200)}`);
  } else if (!refused) {
    problems.push(...(await successProblems(scenario, prepared, retried)));
  }
  problems.push(...(await violations()));
  if (!(await isDone(scenario, prepared))) {
    problems.push(`another attempt leads to ${JSON.stringify(await prepared.state?.())}`);
  }
  return problems.map((problem) => `${scenario.name}: ${name}: ${problem}`);
}

function fine(): StepFate {
  return "fine";
}

/** A response must not claim what is not true. */
async function successProblems(
  scenario: Scenario,
  prepared: Prepared,
  { value }: Outcome<Answer | undefined>,
  without?: RegExp,
): Promise<string[]> {
  if (!value) return [];
  const problems: string[] = [];
  const { status, text } = value;
  if (status >= 400) problems.push(`the response is ${status} ${text.slice(0, 200)}`);
  const { shows = /^/ } = prepared;
  if (!shows.test(text) && !without?.test(text)) problems.push("the page does not show it");
  if (!(await isDone(scenario, prepared))) {
    problems.push(
      `the response is ${status}, but the state is ${JSON.stringify(await prepared.state?.())}`,
    );
  }
  return problems;
}

async function isDone({ done }: Scenario, { state }: Prepared): Promise<boolean> {
  return JSON.stringify(sorted((await state?.()) ?? {})) === JSON.stringify(sorted(done));
}

function sorted(row: Record<string, unknown>): [string, unknown][] {
  return Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Technical terms that no user should read. */
const internals =
  /D1_|SQLITE|ordered to|JSON at|malformed|drizzle|Unexpected Server Error|\w+Error:|\bat \w+ \(|(?:select|insert into|update|delete from) "|\bundefined\b|\[object |Network connection lost/i;

function refusalProblems(answer: Answer, reader: "page" | "JSON", statuses?: number[]): string[] {
  const problems: string[] = [];
  const { status, headers, text } = answer;
  const fits = statuses ? statuses.includes(status) : status >= 500;
  if (!fits) problems.push(`the status is ${status}: ${sentence(text)}`);
  const found = internals.exec(text);
  if (found) problems.push(`the response contains "${found[0]}"`);
  const type = headers.get("Content-Type") ?? "";
  const isPage = type.startsWith("text/html") && /<h1[^>]*>[^<]+</.test(text);
  const isRead = reader === "page" ? isPage : isJsonError(text);
  if (!isRead)
    problems.push(`it should be a readable ${reader} but is ${type}: ${text.slice(0, 60)}`);
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
