import { accountActions } from "./account";
import type { Scenario } from "./action";
import { billingActions } from "./billing";
import { jobs } from "./jobs";
import { listeningActions } from "./listening";
import { pages } from "./pages";

export { jobs, pages };
export const actions = [...listeningActions, ...accountActions, ...billingActions];

export const scenarios = [...pages, ...actions, ...jobs].filter(
  (action): action is Scenario => action.done !== undefined,
);
