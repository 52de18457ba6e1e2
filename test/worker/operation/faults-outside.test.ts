import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Fault, healthySteps, problemsOf } from "../../support/faults/check";
import type { InPlaceOf, Step, StepFate } from "../../support/faults/run";
import type { Scenario } from "../../support/faults/scenario";
import { scenarios } from "../../support/faults/scenarios";

const musician = "noor-valcarcel";
/** A test is as many cases as its scenario asks services for. */
const timeout = 30_000;

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

/** The services' calls of the healthy run, without what differs from one attempt to the next. */
function outsideCalls(steps: Step[]): string[] {
  return [
    ...new Set(steps.filter(({ kind }) => kind === "outside").map(({ what }) => callOf(what))),
  ];
}

/** Method and path, with a word for what is an id. */
function callOf(what: string): string {
  const [method, url = ""] = what.split(" ");
  const path = new URL(url).pathname.replace(
    /\/((cus|sub|cs|price)_\w+|[0-9A-Za-z]{22})(?=\/|$)/g,
    "/:id",
  );
  return `${method} ${path}`;
}

/** Each of the services' calls meets a fate, whenever it is made. */
async function problemsWith(scenario: Scenario, name: string, fate: StepFate, methods?: RegExp) {
  const problems: string[] = [];
  for (const call of outsideCalls(await healthySteps(scenario, musician))) {
    if (methods && !methods.test(call)) continue;
    const fault: Fault = {
      name: `${call} ${name}`,
      fateOf: ({ kind, what }) => (kind === "outside" && callOf(what) === call ? fate : "fine"),
      statuses: scenario.outage ?? [502, 503],
    };
    problems.push(...(await problemsOf(scenario, musician, fault)));
  }
  return problems;
}

/** An answer that says that all is well, and nothing else that is expected. */
const saying =
  (type: string, body: string): InPlaceOf =>
  () =>
    new Response(body, { headers: { "Content-Type": type } });

/** What the service answers, with something done to it. */
const spoiling =
  (spoil: (text: string) => string): InPlaceOf =>
  async (answer) => {
    const response = await answer();
    const text = spoil(await response.text());
    return new Response(response.status === 204 ? null : text, response);
  };

/** JSON with every value of another type than it was. */
function mistyped(text: string): string {
  const other = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length > 0 ? value.map(other) : {};
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, other(inner)]));
    }
    return typeof value === "string" ? 7 : "seven";
  };
  return text === "" ? "" : JSON.stringify(other(JSON.parse(text)));
}

describe.each(scenarios.filter(({ asksOutside }) => asksOutside))(
  "$name",
  { timeout },
  (scenario) => {
    test.each<{ name: string; fate: StepFate }>([
      { name: "cannot be reached", fate: "refused" },
      { name: "never answers", fate: "silent" },
      { name: "is carried out, and its answer lost", fate: "lost" },
    ])("with a service that $name", async ({ name, fate }) => {
      expect(await problemsWith(scenario, name, fate)).toEqual([]);
    });

    test.each<{ name: string; fate: StepFate }>([
      { name: "HTML", fate: saying("text/html", "<html><h1>Welcome to our network</h1></html>") },
      { name: "JSON of another shape", fate: saying("application/json", '{"hello":["there"]}') },
      { name: "null", fate: saying("application/json", "null") },
      { name: "nothing", fate: saying("text/plain", "") },
      { name: "JSON that breaks off", fate: spoiling((text) => text.slice(0, text.length / 2)) },
      { name: "JSON of the wrong types", fate: spoiling(mistyped) },
    ])("with a service that answers 200 and $name", async ({ name, fate }) => {
      // To a PUT Spotify's 2xx is the whole answer.
      expect(await problemsWith(scenario, `answers ${name}`, fate, /^(GET|POST) /)).toEqual([]);
    });
  },
);
