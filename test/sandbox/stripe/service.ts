/** What all parts of the Stripe stand-in share. */
import type Stripe from "stripe";
import type { SandboxContext } from "../context.ts";
import type { Faults } from "../faults.ts";
import type { StripeState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

export interface StripeService {
  context: SandboxContext;
  state: StripeState;
  webhooks: Webhooks;
  /** Faults that hit after a call was carried out: the response is lost. */
  lostAnswers: Faults;
  /** The API call being served, which its events refer to; null for pages and control actions. */
  request: { id: string; key: string | null } | null;
}

/** The API version of the stand-in's objects: that of the package `stripe`. */
export const API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";
/** The only API key that works. */
export const SECRET_KEY = "sk_test_sandbox_development_only";
/** The default secret for signing webhooks. */
export const WEBHOOK_SECRET = "whsec_sandbox_development_only";

/** The current time of a customer in epoch seconds; it is ahead of the clock if periods were ended early. */
export function timeOf({ context, state }: StripeService, customer?: unknown): number {
  const ahead = state.wallets.get(String(customer))?.ahead ?? 0;
  return Math.floor(context.now() / 1000) + ahead;
}
