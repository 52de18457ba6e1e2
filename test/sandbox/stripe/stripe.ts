/** The Stripe stand-in: API, checkout and portal pages, webhooks. */
import type { Hono } from "hono";
import { addActions, type SandboxContext } from "../context.ts";
import { createFaults } from "../faults.ts";
import { apiRoutes } from "./api.ts";
import { stripeActions } from "./control.ts";
import { stripePages } from "./pages.ts";
import { seedInto } from "./seed.ts";
import { emptyState, type StripeService, type StripeState } from "./state.ts";
import { createWebhooks } from "./webhooks.ts";

const SECTION = "stripe";

export function stripeRoutes(
  context: SandboxContext,
  url: string | null,
): { api: Hono; pages: Hono } {
  const service: StripeService = {
    context,
    state: createState(context),
    webhooks: createWebhooks(context, url),
    lostAnswers: createFaults(),
  };
  addActions(context, stripeActions(service));
  context.resets.push((musician) => service.lostAnswers.clear(musician));
  context.links.push({
    href: "/stripe",
    text: "Stripe",
    note: "customers and subscriptions; let a month pass or a payment fail",
  });
  return { api: apiRoutes(service), pages: stripePages(service) };
}

/** Restores the state of the last run; the first run starts with the demo subscribers. */
function createState(context: SandboxContext): StripeState {
  const state = emptyState();
  const saved = context.store.load(SECTION) as Record<keyof StripeState, unknown[]> | null;
  if (!saved) seedInto(state, context.now());
  for (const [name, entries] of Object.entries(saved ?? {})) {
    const collection = state[name as keyof StripeState] as Map<unknown, unknown> | Set<unknown>;
    for (const entry of entries) {
      if (collection instanceof Set) collection.add(entry);
      else collection.set(...(entry as [unknown, unknown]));
    }
  }
  context.store.register(SECTION, () =>
    Object.fromEntries(Object.entries(state).map(([name, collection]) => [name, [...collection]])),
  );
  context.resets.push((musician) => {
    if (musician !== undefined) return;
    for (const collection of Object.values(state)) collection.clear();
    seedInto(state, context.now());
    context.store.changed();
  });
  return state;
}
