/** Premium: bought, managed, told of by webhooks, caught up with by the clock. */
import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { makeUser, type TestUser } from "../database/factories";
import { makeSession } from "../login";
import { control } from "../sandbox";
import { deliver, eventOf, makeBuyer, type SentEvent, stripeState } from "../stripe/stripe";
import { firstRow } from "./check";
import { ask, type Caller, type Surroundings, worker } from "./run";
import type { Scenario } from "./scenario";

const record = "SELECT status, tier FROM subscriptions";

/** Somebody who has paid; nobody has told the product. */
async function buyer(musician: string) {
  return makeBuyer(await makeUser(), { musician });
}

/** Somebody with premium, of which the product knows. */
async function subscriber(musician: string) {
  const bought = await buyer(musician);
  await deliver(await eventOf(bought.customer, "invoice.paid"));
  return bought;
}

function posting(event: SentEvent) {
  const { payload: body, header } = event.signed;
  const headers = { "Content-Type": "application/json", "Stripe-Signature": header };
  return (around: Surroundings, caller: Caller) =>
    ask(around, "/webhooks/stripe", caller, { body, headers });
}

/** What Stripe holds of a user, who must never pay twice. */
async function heldOf({ id: userId }: TestUser) {
  const { customers, sessions } = await stripeState({ userId });
  const open = sessions.filter(({ status }) => status === "open");
  return { customers: customers.length, checkouts: open.length };
}

export const billingScenarios: Scenario[] = [
  {
    name: "a checkout begun",
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
    name: "the portal opened",
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
    name: "the checkout looked up by a program",
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
    name: "a webhook of a payment",
    asksOutside: true,
    answers: "JSON",
    // That it is to come again.
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
    done: { status: "active", tier: "premium", events: 1, mails: 0 },
  },
  {
    name: "a webhook of a failed payment, which owes a mail",
    asksOutside: true,
    answers: "JSON",
    // That it is to come again.
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
    name: "the daily look at subscriptions",
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
