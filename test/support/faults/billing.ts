/** Scenarios of premium: checkout, portal, webhooks, the daily sync. */
import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { makeUser, type TestUser } from "../database/factories";
import { makeSession } from "../login";
import { control } from "../sandbox";
import { deliver, eventOf, makeBuyer, type SentEvent, stripeState } from "../stripe/stripe";
import { firstRow } from "./check";
import { ask, type Caller, type Surroundings, worker } from "./run";
import type { Scenario } from "./scenario";

const record = "SELECT status, tier FROM subscriptions";

/** A user who has paid, which is not recorded yet. */
async function buyer(musician: string) {
  return makeBuyer(await makeUser(), { musician });
}

/** A user whose premium is recorded. The mail about that has long been sent and deleted. */
async function subscriber(musician: string) {
  const bought = await buyer(musician);
  await deliver(await eventOf(bought.customer, "invoice.paid"));
  await env.DB.prepare("DELETE FROM outbox").run();
  return bought;
}

function posting(event: SentEvent) {
  const { payload: body, header } = event.signed;
  const headers = { "Content-Type": "application/json", "Stripe-Signature": header };
  return (around: Surroundings, caller: Caller) =>
    ask(around, "/webhooks/stripe", caller, { body, headers });
}

/** How many customers and open checkouts a user has at Stripe; more than one could make them pay twice. */
async function heldOf({ id: userId }: TestUser) {
  const { customers, sessions } = await stripeState({ userId });
  const open = sessions.filter(({ status }) => status === "open");
  return { customers: customers.length, checkouts: open.length };
}

export const billingScenarios: Scenario[] = [
  {
    name: "beginning a checkout",
    asksOutside: true,
    async prepare(musician) {
      const user = await makeUser();
      const { cookie } = await makeSession(user, { musician });
      return {
        act: (around, caller) => ask(around, "/checkout-session", caller, { cookie, form: {} }),
        state: async () => ({
          ...(await heldOf(user)),
          ...(await firstRow(`SELECT customer_id IS NOT NULL AS customer,
                                checkout_id IS NOT NULL AS checkout FROM subscriptions`)),
        }),
      };
    },
    done: { customers: 1, checkouts: 1, customer: 1, checkout: 1 },
  },
  {
    name: "opening the portal",
    asksOutside: true,
    async prepare(musician) {
      const { cookie } = await subscriber(musician);
      return {
        act: (around, caller) => ask(around, "/portal-session", caller, { cookie, form: {} }),
        state: () => firstRow(record),
      };
    },
    done: { status: "active", tier: "premium" },
  },
  {
    name: "the page after the checkout",
    asksOutside: true,
    answers: "page",
    async prepare(musician) {
      const { cookie, checkoutId } = await buyer(musician);
      const path = `/subscription-success?session_id=${checkoutId}`;
      return {
        act: (around, caller) => ask(around, path, caller, { cookie }),
        state: () => firstRow(record),
        shows: /Thank you for subscribing!/,
      };
    },
    done: { status: "active", tier: "premium" },
  },
  {
    name: "looking up the checkout by script",
    asksOutside: true,
    answers: "JSON",
    async prepare(musician) {
      const { cookie, checkoutId } = await buyer(musician);
      const form = { sessionId: checkoutId };
      return {
        act: (around) => ask(around, "/checkout-session/lookup", "program", { cookie, form }),
        state: () => firstRow(record),
      };
    },
    done: { status: "active", tier: "premium" },
  },
  {
    name: "a webhook about a payment, which owes a mail",
    asksOutside: true,
    answers: "JSON",
    // Stripe sends the event again.
    outage: [500],
    async prepare(musician) {
      const event = await eventOf((await buyer(musician)).customer, "invoice.paid");
      return {
        act: posting(event),
        state: () =>
          firstRow(`SELECT status, tier, (SELECT count(*) FROM billing_events) AS events,
                      (SELECT count(*) FROM outbox) AS mails FROM subscriptions`),
      };
    },
    done: { status: "active", tier: "premium", events: 1, mails: 1 },
  },
  {
    name: "a webhook about a failed payment, which owes a mail",
    asksOutside: true,
    answers: "JSON",
    // Stripe sends the event again.
    outage: [500],
    async prepare(musician) {
      const { customer } = await subscriber(musician);
      await control("stripeCard", { customer, card: "declined" });
      await control("stripePeriod", { customer });
      return {
        act: posting(await eventOf(customer, "invoice.payment_failed")),
        state: () =>
          firstRow(`SELECT status, (SELECT count(*) FROM billing_events) AS events,
                      (SELECT count(*) FROM outbox WHERE kind = 'past_due') AS mails
                    FROM subscriptions`),
      };
    },
    done: { status: "past_due", events: 2, mails: 1 },
  },
  {
    name: "the daily sync of subscriptions",
    asksOutside: true,
    async prepare(musician) {
      await buyer(musician);
      return {
        async act(around) {
          const controller = createScheduledController({ cron: "17 4 * * *" });
          await worker.scheduled(controller, around, createExecutionContext());
          return undefined;
        },
        state: () => firstRow(record),
      };
    },
    done: { status: "active", tier: "premium" },
  },
];
