import { beforeEach, expect, test, vi } from "vitest";
import { scenarios } from "../../support/actions/actions";
import { skipWaits } from "../../support/clock";
import { type Fault, healthySteps, problemsOf } from "../../support/faults/check";

const musician = "xavi-portabella-roig";
beforeEach(() => {
  skipWaits();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

test.each(scenarios)(
  "$name survives any one database call that fails, and the end of the Worker between any two steps",
  async (scenario) => {
    const steps = await healthySteps(scenario, musician);
    const calls = steps.filter(({ kind }) => kind === "database");
    expect(calls.length).toBeGreaterThan(0);
    const faults: Fault[] = calls.flatMap(({ number, what, statements }): Fault[] => [
      {
        name: `call ${number} fails at its last statement (${what.slice(0, 60)})`,
        // A call is one transaction, so this takes all the others back.
        fateOf: (step) => (step.number === number ? { broken: statements - 1 } : "fine"),
      },
      {
        name: `answer ${number} lost (${what.slice(0, 60)})`,
        fateOf: (step) => (step.number === number ? "lost" : "fine"),
        caller: "program",
      },
    ]);
    for (const last of [0, ...steps.map(({ number }) => number)]) {
      faults.push({
        name: `killed after step ${last}`,
        fateOf: (step) => (step.number <= last ? "fine" : "refused"),
        deadly: true,
      });
    }
    const problems: string[] = [];
    for (const fault of faults) problems.push(...(await problemsOf(scenario, musician, fault)));
    expect(problems).toEqual([]);
  },
);
