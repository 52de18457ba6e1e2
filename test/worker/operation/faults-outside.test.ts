import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Fault, healthySteps, problemsOf } from "../../support/faults/check";
import type { InPlaceOf, Step, StepFate } from "../../support/faults/run";
import type { Scenario } from "../../support/faults/scenario";
import { scenarios } from "../../support/faults/scenarios";

const musician = "noor-valcarcel";
/** Each test tries as many cases as its scenario has calls of services. */
const timeout = 30_000;

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

/** The calls of services in a healthy run, without the parts that differ each time. */
function outsideCalls(steps: Step[]): string[] {
  return [
    ...new Set(steps.filter(({ kind }) => kind === "outside").map(({ what }) => callOf(what))),
  ];
}

/** The method and path, with ":id" for each id. */
function callOf(what: string): string {
  const [method, url = ""] = what.split(" ");
  const path = new URL(url).pathname.replace(
    /\/((cus|sub|cs|price)_\w+|[0-9A-Za-z]{22})(?=\/|$)/g,
    "/:id",
  );
  return `${method} ${path}`;
}

/** The problems when one call of a service has this fate every time it is made, for each call in turn. */
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

/** A 200 with an unexpected body. */
const respondingWith =
  (type: string, body: string): InPlaceOf =>
  () =>
    new Response(body, { headers: { "Content-Type": type } });

/** The service's own response with a changed body. */
const changing =
  (change: (text: string) => string): InPlaceOf =>
  async (answer) => {
    const response = await answer();
    const text = change(await response.text());
    return new Response(response.status === 204 ? null : text, response);
  };

/** A page, nothing, and a text cut short, in turns: no call can read any of them. */
function unreadable(): InPlaceOf {
  const bodies = [
    respondingWith("text/html", "<html><h1>Welcome to our network</h1></html>"),
    respondingWith("text/plain", ""),
    changing((text) => text.slice(0, text.length / 2)),
  ];
  let calls = 0;
  return (answer) => (bodies[calls++ % bodies.length] as InPlaceOf)(answer);
}

/** JSON with the type of every value changed. */
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
      { name: "acts on the call, but whose response is lost", fate: "lost" },
    ])("with a service that $name", async ({ name, fate }) => {
      expect(await problemsWith(scenario, name, fate)).toEqual([]);
    });

    test.each<{ name: string; fate: StepFate }>([
      { name: "what is no JSON", fate: unreadable() },
      {
        name: "JSON of another shape",
        fate: respondingWith("application/json", '{"hello":["there"]}'),
      },
      { name: "null", fate: respondingWith("application/json", "null") },
      { name: "JSON of the wrong types", fate: changing(mistyped) },
    ])("with a service that answers 200 and $name", async ({ name, fate }) => {
      // Of Spotify's response to a PUT only the status matters.
      expect(await problemsWith(scenario, `answers ${name}`, fate, /^(GET|POST) /)).toEqual([]);
    });
  },
);
