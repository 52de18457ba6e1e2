import { accountActions } from "./account";
import type { Scenario } from "./action";
import { billingActions } from "./billing";
import { jobs as otherJobs } from "./jobs";
import { listeningActions } from "./listening";
import { loginActions } from "./logins";
import { pages as otherPages } from "./pages";
import { recordingActions, recordingJobs, recordingPages } from "./recordings";
import { roundActions, roundPages } from "./rounds";

export const jobs = [...otherJobs, ...recordingJobs];
export const pages = [...otherPages, ...recordingPages, ...roundPages];
export const actions = [
  ...[...listeningActions, ...loginActions, ...accountActions, ...billingActions],
  ...[...recordingActions, ...roundActions],
];

export const scenarios = [...pages, ...actions, ...jobs].filter(
  (action): action is Scenario => action.done !== undefined,
);
