/** Every page, action, queue batch and cron that uses the database, in the order in which they are run. */
import { accountRuns, lastRuns } from "./account.ts";
import { billingRuns } from "./billing.ts";
import { jobRuns } from "./jobs.ts";
import { passRuns } from "./passes.ts";
import { ratingRuns } from "./rating.ts";
import { recordingRuns } from "./recordings.ts";
import { resultRuns } from "./results.ts";
import type { Run } from "./world.ts";

const pages: Run[] = [
  { name: "landing", prepare: async () => ({ path: "/" }) },
  { name: "health", prepare: async () => ({ path: "/health" }) },
];

export const runs: Run[] = [
  ...pages,
  ...ratingRuns,
  ...passRuns,
  ...resultRuns,
  ...recordingRuns,
  ...accountRuns,
  ...billingRuns,
  ...jobRuns,
  ...lastRuns,
];
