import { beforeEach, expect, test, vi } from "vitest";
import { scenarios } from "../../support/actions/actions";
import { skipWaits } from "../../support/clock";
import { type Fault, healthySteps, problemsOf } from "../../support/faults/check";

const musician = "hamish-corrievale";

const touching = scenarios.filter(({ name }) => /upload|files/.test(name));

beforeEach(() => {
  skipWaits();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

test.each(touching)("$name survives a bucket that fails, or loses its answer", async (scenario) => {
  const steps = await healthySteps(scenario, musician);
  const faults = steps
    .filter(({ kind }) => kind === "files")
    .flatMap(({ number, what }) =>
      (["refused", "lost"] as const).map(
        (fate): Fault => ({
          name: `${what} ${fate}`,
          fateOf: (step) => (step.number === number ? fate : "fine"),
          caller: "program",
        }),
      ),
    );
  const problems: string[] = [];
  for (const fault of faults) problems.push(...(await problemsOf(scenario, musician, fault)));
  expect(problems).toEqual([]);
});
