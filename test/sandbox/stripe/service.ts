/** What the parts of the Stripe stand-in share. */
import type Stripe from "stripe";
import type { SandboxContext } from "../context.ts";
import type { Faults } from "../faults.ts";
import type { StripeState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

export interface StripeService {
  context: SandboxContext;
  state: StripeState;
  webhooks: Webhooks;
  /** Calls that are carried out, but whose answers never arrive. */
  lostAnswers: Faults;
  /** The API call being served, which the events it causes name; null while a page or an order is. */
  request: { id: string; key: string | null } | null;
}

/** The version whose shapes the stand-in answers with: the package's own. */
export const API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";
/** The only key the API takes. */
export const SECRET_KEY = "sk_test_sandbox_development_only";
/** What webhooks are signed with unless told otherwise. */
export const WEBHOOK_SECRET = "whsec_sandbox_development_only";

/** Epoch seconds, as a customer's time has it: ahead of the clock where periods were ended by order. */
export function timeOf({ context, state }: StripeService, customer?: unknown): number {
  const ahead = state.wallets.get(String(customer))?.ahead ?? 0;
  return Math.floor(context.now() / 1000) + ahead;
}
