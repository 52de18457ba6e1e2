import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Scenario } from "../../support/actions/action";
import { scenarios } from "../../support/actions/actions";
import { rowsOf } from "../../support/database/contents";
import { amid, type StepFate } from "../../support/faults/run";
import { deliver, letTimePass } from "../../support/mails";
import { everyTenMinutes, runJobs } from "../../support/worker";

const musician = "celestine-okonjo";

/** The scenarios that queue a mail. */
const owing = [
  "a rating",
  "a rating that also confirms the listen",
  "a submission",
  "a request to confirm an address",
  "a webhook about a failed payment, which owes a mail",
].map((wanted): Scenario => {
  const found = scenarios.find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no scenario ${wanted}`);
  return found;
});

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

/** Runs the cron job. @returns the mails that it has queued. */
async function sweep(): Promise<string[]> {
  const { queued } = await amid(
    () => "fine",
    (around) => runJobs(everyTenMinutes, around),
  );
  return queued;
}

/** Runs a scenario that queues a mail, with this fate for the queue. */
async function runWith(scenario: Scenario, fate: StepFate) {
  const prepared = await scenario.prepare(musician);
  const { value, steps, queued } = await amid(
    ({ kind }) => (kind === "queue" ? fate : "fine"),
    (around) => prepared.act(around, "person"),
  );
  expect(steps.filter(({ kind }) => kind === "queue")).toHaveLength(1);
  expect(value?.status).toBeLessThan(400);
  expect(await prepared.state?.()).toEqual(scenario.done);
  return queued;
}

function mailStates() {
  return rowsOf("SELECT state FROM outbox");
}

describe.each(owing)("$name", (scenario) => {
  test("succeeds if the queue refuses, and after the sweep the mail is sent", async () => {
    expect(await runWith(scenario, "refused")).toEqual([]);
    await letTimePass();
    const swept = await sweep();
    expect(await deliver(swept)).toEqual(["done"]);
    expect(await mailStates()).toEqual([{ state: "sent" }]);
  });

  test("succeeds if the queue's response is lost, and one mail is sent", async () => {
    const queued = await runWith(scenario, "lost");
    await letTimePass();
    expect(await deliver(queued)).toEqual(["done"]);
    expect(await sweep()).toEqual([]);
    expect(await mailStates()).toEqual([{ state: "sent" }]);
  });
});

test("the sweep loses nothing if the queue refuses: the next sweep queues the mail", async () => {
  const scenario = scenarios.find(({ name }) => name.startsWith("the sweep for mails"));
  const prepared = await scenario?.prepare(musician);
  const refused = await amid(
    ({ kind }) => (kind === "queue" ? "refused" : "fine"),
    async (around) => prepared?.act(around, "person"),
  );
  expect(refused.queued).toEqual([]);
  await letTimePass();
  expect(await deliver(await sweep())).toEqual(["done"]);
  expect(await mailStates()).toEqual([{ state: "sent" }]);
});
