/** Every page, action, queue batch and cron that works on the database, in an order that can be run. */
import { accountRuns, lastRuns } from "./scale-account.ts";
import { billingRuns } from "./scale-billing.ts";
import { jobRuns } from "./scale-jobs.ts";
import { ratingRuns } from "./scale-rating.ts";
import type { Run } from "./scale-world.ts";

const pages: Run[] = [
  { name: "landing", prepare: async () => ({ path: "/" }) },
  { name: "health", prepare: async () => ({ path: "/health" }) },
];

export const runs: Run[] = [
  ...pages,
  ...ratingRuns,
  ...accountRuns,
  ...billingRuns,
  ...jobRuns,
  ...lastRuns,
];
