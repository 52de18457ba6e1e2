import { beforeEach, expect, test, vi } from "vitest";
import { scenarios } from "../../support/actions/actions";
import { skipWaits } from "../../support/clock";
import { type Fault, healthySteps, problemsOf } from "../../support/faults/check";
import type { InPlaceOf, Step, StepFate } from "../../support/faults/run";

const musician = "noor-valcarcel";
beforeEach(() => {
  skipWaits();
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

/** What no call can read. Each call gets one of them. */
const unreadable: { name: string; fate: StepFate }[] = [
  {
    name: "a page",
    fate: respondingWith("text/html", "<html><h1>Welcome to our network</h1></html>"),
  },
  { name: "JSON of another shape", fate: respondingWith("application/json", '{"a":["b"]}') },
  { name: "JSON of the wrong types", fate: changing(mistyped) },
  { name: "null", fate: respondingWith("application/json", "null") },
  { name: "half a text", fate: changing((text) => text.slice(0, text.length / 2)) },
];

test.each(scenarios.filter(({ asksOutside }) => asksOutside))(
  "$name survives a service that cannot be reached, never answers, or answers nonsense",
  async (scenario) => {
    const calls = outsideCalls(await healthySteps(scenario, musician));
    const faults = calls.flatMap((call, place) => {
      const nonsense = unreadable[(scenarios.indexOf(scenario) + place) % unreadable.length];
      const fates: { name: string; fate: StepFate }[] = [
        { name: "cannot be reached", fate: "refused" },
        { name: "never answers", fate: "silent" },
        { name: "is carried out, but its response is lost", fate: "lost" },
        // Of Spotify's response to a PUT only the status matters.
        ...(nonsense && /^(GET|POST) /.test(call) ? [nonsense] : []),
      ];
      return fates.map(
        ({ name, fate }): Fault => ({
          name: `${call} ${name}`,
          // Every time that the call is made.
          fateOf: ({ kind, what }) => (kind === "outside" && callOf(what) === call ? fate : "fine"),
          statuses: scenario.outage ?? [502, 503],
        }),
      );
    });
    const problems: string[] = [];
    for (const fault of faults) problems.push(...(await problemsOf(scenario, musician, fault)));
    expect(problems).toEqual([]);
  },
);
