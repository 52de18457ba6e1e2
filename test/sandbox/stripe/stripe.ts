/** The Stripe stand-in: API, checkout and portal pages, webhooks. */
import { Hono } from "hono";
import { addActions, type SandboxContext } from "../context.ts";
import { createFaults } from "../faults.ts";
import { apiRoutes } from "./api/api.ts";
import { stripeActions } from "./control/actions.ts";
import { stripeViews } from "./control/views.ts";
import { createState } from "./create-state.ts";
import { checkoutPages } from "./pages/checkout.ts";
import { overviewPages } from "./pages/overview.ts";
import { portalPages } from "./pages/portal.ts";
import { type StripeService, WEBHOOK_SECRET } from "./service.ts";
import { createWebhooks, type Endpoint } from "./webhooks.ts";

/**
 * The API, whose paths begin with /v1, and the pages under /stripe. Adds the stand-in's control
 * actions, resets and links to the context. Events are sent to `endpoint`; null: nowhere.
 */
export function stripeRoutes(
  context: SandboxContext,
  endpoint: Endpoint | null,
): { api: Hono; pages: Hono } {
  const service: StripeService = {
    context,
    state: createState(context),
    webhooks: createWebhooks(context, endpoint, WEBHOOK_SECRET),
    lostAnswers: createFaults(),
    request: null,
  };
  addActions(context, { ...stripeActions(service), ...stripeViews(service) });
  context.resets.push((musician) => {
    service.lostAnswers.clear(musician);
    if (musician === undefined) service.webhooks.reset();
  });
  context.links.push({
    href: "/stripe",
    text: "Stripe",
    note: "customers and subscriptions; let a month pass or a payment fail",
  });
  // Events that were not delivered when the sandbox last stopped.
  for (const record of service.state.events.values()) {
    if (record.delivery !== "pending") continue;
    record.attempts = 0;
    service.webhooks.send(record);
  }

  const pages = new Hono();
  pages.route("/checkout", checkoutPages(service));
  pages.route("/portal", portalPages(service));
  pages.route("/", overviewPages(service));
  return { api: apiRoutes(service), pages };
}
