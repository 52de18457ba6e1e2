/** All scenarios. Add a new one to the file of its subject. */

import { accountScenarios } from "./account";
import { billingScenarios } from "./billing";
import { listeningScenarios } from "./listening";
import { mailScenarios } from "./mail";
import type { Scenario } from "./scenario";
import { sessionScenarios } from "./session";

export const scenarios: Scenario[] = [
  ...sessionScenarios,
  ...listeningScenarios,
  ...accountScenarios,
  ...billingScenarios,
  ...mailScenarios,
];
