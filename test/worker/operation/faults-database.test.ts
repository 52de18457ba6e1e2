import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Fault, healthySteps, problemsOf } from "../../support/faults/check";
import type { Step } from "../../support/faults/run";
import type { Scenario } from "../../support/faults/scenario";
import { scenarios } from "../../support/faults/scenarios";

const musician = "tobin-ashgrove";
/** Each test tries as many cases as its scenario has steps. */
const timeout = 30_000;

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

/** The problems after each of the faults that are made from the steps of a healthy run. */
async function problemsWith(scenario: Scenario, faultsOf: (steps: Step[]) => Fault[]) {
  const problems: string[] = [];
  for (const fault of faultsOf(await healthySteps(scenario, musician))) {
    problems.push(...(await problemsOf(scenario, musician, fault)));
  }
  return problems;
}

function databaseCalls(steps: Step[]): Step[] {
  const calls = steps.filter(({ kind }) => kind === "database");
  expect(calls.length).toBeGreaterThan(0);
  return calls;
}

describe.each(scenarios)("$name", { timeout }, (scenario) => {
  test("with any one database call refused, or failing at its last statement", async () => {
    const problems = await problemsWith(scenario, (steps) =>
      databaseCalls(steps).flatMap(({ number, what, statements }): Fault[] => [
        {
          name: `call ${number} refused (${what.slice(0, 60)})`,
          fateOf: (step) => (step.number === number ? "refused" : "fine"),
        },
        {
          name: `the last statement of call ${number} fails`,
          // A call is one transaction, so this takes all the others back.
          fateOf: (step) => (step.number === number ? { broken: statements - 1 } : "fine"),
        },
      ]),
    );
    expect(problems).toEqual([]);
  });

  test("with any one database call carried out and its response lost", async () => {
    const problems = await problemsWith(scenario, (steps) =>
      databaseCalls(steps).map(({ number, what }) => ({
        name: `answer ${number} lost (${what.slice(0, 60)})`,
        fateOf: (step) => (step.number === number ? "lost" : "fine"),
        caller: "program",
      })),
    );
    expect(problems).toEqual([]);
  });

  test("with the Worker killed between any two steps", async () => {
    const problems = await problemsWith(scenario, (steps) =>
      [0, ...steps.map(({ number }) => number)].map((last) => ({
        name: `killed after step ${last}`,
        fateOf: (step) => (step.number <= last ? "fine" : "refused"),
        deadly: true,
      })),
    );
    expect(problems).toEqual([]);
  });
});
