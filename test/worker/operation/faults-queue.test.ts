import { beforeEach, expect, test, vi } from "vitest";
import type { Scenario } from "../../support/actions/action";
import { scenarios } from "../../support/actions/actions";
import { emptyDatabase, rowsOf } from "../../support/database/contents";
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
].map(named);

function named(wanted: string): Scenario {
  const found = scenarios.find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no scenario ${wanted}`);
  return found;
}

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

test.each(owing)(
  "$name succeeds if the queue refuses or its response is lost, and one mail is sent",
  async (scenario) => {
    expect(await runWith(scenario, "refused")).toEqual([]);
    await letTimePass();
    expect(await deliver(await sweep())).toEqual(["done"]);
    expect(await mailStates()).toEqual([{ state: "sent" }]);
    await emptyDatabase();
    const queued = await runWith(scenario, "lost");
    await letTimePass();
    expect(await deliver(queued)).toEqual(["done"]);
    expect(await sweep()).toEqual([]);
    expect(await mailStates()).toEqual([{ state: "sent" }]);
  },
);

test("the sweep loses nothing if the queue refuses: the next sweep queues the mail", async () => {
  const sweeping = named("the sweep for mails that were not queued, and the purge");
  const prepared = await sweeping.prepare(musician);
  const refused = await amid(
    ({ kind }) => (kind === "queue" ? "refused" : "fine"),
    async (around) => prepared.act(around, "person"),
  );
  expect(refused.queued).toEqual([]);
  await letTimePass();
  expect(await deliver(await sweep())).toEqual(["done"]);
  expect(await mailStates()).toEqual([{ state: "sent" }]);
});
