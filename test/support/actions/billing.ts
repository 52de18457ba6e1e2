/** What has to do with premium: checkout, portal, webhooks. */
import { env } from "cloudflare:workers";
import { makeUser, type TestUser } from "../database/factories";
import { control } from "../sandbox";
import {
  deliver,
  eventOf,
  freeEmail,
  makeBuyer,
  press,
  type SentEvent,
  stripeState,
  subscribeByHand,
} from "../stripe/stripe";
import { type Action, asking, forMembers } from "./action";
import { firstRow, makeMember } from "./world";

export const record = "SELECT status, tier FROM subscriptions";

export async function makeCheckout(musician: string) {
  return makeBuyer(await makeUser(), { musician });
}

/** A user whose premium is recorded. The mail about that has long been sent and deleted. */
async function makeSubscriber(musician: string) {
  const bought = await makeCheckout(musician);
  await deliver(await eventOf(bought.customer, "invoice.paid"));
  await env.DB.prepare("DELETE FROM outbox").run();
  return bought;
}

/** A member, and the event of a checkout that was made without the app and paid with the member's address. */
export async function makePaidElsewhere(musician: string) {
  const email = freeEmail();
  const { cookie } = await makeMember(musician, { ownEmail: email });
  const { customer } = await subscribeByHand(email, { clientReference: true });
  const event = await eventOf(customer, "checkout.session.completed");
  const { data } = JSON.parse(event.signed.payload) as { data: { object: { id: string } } };
  return { cookie, event, checkoutId: data.object.id };
}

function posting({ signed }: SentEvent) {
  const headers = { "Content-Type": "application/json", "Stripe-Signature": signed.header };
  return asking("/webhooks/stripe", { body: signed.payload, headers });
}

/** More than one customer or open checkout could make a user pay twice. */
async function heldOf({ id: userId }: TestUser) {
  const { customers, sessions } = await stripeState({ userId });
  const open = sessions.filter(({ status }) => status === "open");
  return { customers: customers.length, checkouts: open.length };
}

export const billingActions: Action[] = [
  ...(["cancel", "withdraw"] as const).map(
    (kind): Action => ({
      name: `declaring a ${kind === "cancel" ? "cancellation" : "withdrawal"} without a login`,
      limit: "LIMIT_STRICT",
      formsOn: [`/${kind}`],
      status: 303,
      async prepare() {
        const form = { address: freeEmail(), key: crypto.randomUUID() };
        const state = () =>
          firstRow(
            "SELECT count(*) AS declared, (SELECT count(*) FROM outbox) AS mails FROM declarations",
          );
        return { ...asking(`/${kind}`, { form }), state };
      },
      done: { declared: 1, mails: 2 },
    }),
  ),
  {
    name: "beginning a checkout",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/subscribe"],
    asksOutside: true,
    async prepare(musician) {
      const { user, post } = await makeMember(musician);
      return {
        ...post("/checkout-session"),
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
    name: "continuing a checkout",
    async prepare(musician) {
      const { cookie, post } = await makeMember(musician);
      await press(cookie);
      return post("/checkout-session");
    },
  },
  {
    name: "a checkout for somebody whose premium is not recorded yet",
    status: 409,
    async prepare(musician) {
      const { cookie } = await makeCheckout(musician);
      return asking("/checkout-session", { cookie, form: {} });
    },
  },
  {
    name: "opening the portal",
    ...forMembers("LIMIT_STRICT"),
    formsOn: ["/account"],
    asksOutside: true,
    async prepare(musician) {
      const { cookie } = await makeSubscriber(musician);
      return {
        ...asking("/portal-session", { cookie, form: {} }),
        state: () => firstRow(record),
      };
    },
    done: { status: "active", tier: "premium" },
  },
  {
    name: "coming back from the portal",
    status: 302,
    async prepare(musician) {
      const { cookie } = await makeSubscriber(musician);
      return asking("/portal-session?next=/account", { cookie });
    },
  },
  {
    name: "looking up the checkout by script",
    limit: "LIMIT_STRICT",
    asksOutside: true,
    answers: "JSON",
    async prepare(musician) {
      const { cookie, checkoutId } = await makeCheckout(musician);
      const headers = { Accept: "application/json" };
      const form = { sessionId: checkoutId };
      return {
        ...asking("/checkout-session/lookup", { cookie, form, headers }),
        state: () => firstRow(record),
      };
    },
    done: { status: "active", tier: "premium" },
  },
  {
    name: "a webhook about a payment, which owes a mail",
    limit: "LIMIT_WIDE",
    asksOutside: true,
    answers: "JSON",
    // Stripe sends the event again.
    outage: [500],
    async prepare(musician) {
      return {
        ...posting(await eventOf((await makeCheckout(musician)).customer, "invoice.paid")),
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
      const { customer } = await makeSubscriber(musician);
      await control("stripeCard", { customer, card: "declined" });
      await control("stripePeriod", { customer });
      return {
        ...posting(await eventOf(customer, "invoice.payment_failed")),
        state: () =>
          firstRow(`SELECT status, (SELECT count(*) FROM billing_events) AS events,
                      (SELECT count(*) FROM outbox WHERE kind = 'past_due') AS mails
                    FROM subscriptions`),
      };
    },
    done: { status: "past_due", events: 2, mails: 1 },
  },
  {
    name: "a webhook about a checkout",
    async prepare(musician) {
      const { customer } = await makeCheckout(musician);
      return posting(await eventOf(customer, "checkout.session.completed"));
    },
  },
  {
    name: "a webhook about a customer matched by address",
    prepare: async (musician) => posting((await makePaidElsewhere(musician)).event),
  },
  {
    name: "a webhook that is delivered again",
    async prepare(musician) {
      const event = await eventOf((await makeCheckout(musician)).customer, "invoice.paid");
      await deliver(event);
      return posting(event);
    },
  },
];
