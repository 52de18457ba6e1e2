/** The pages and actions about premium, each with its own users and songs; see pages.ts. */
import * as checkout from "~/routes/checkout-session";
import * as lookup from "~/routes/checkout-session_.lookup";
import * as portal from "~/routes/portal-session";
import * as subscribe from "~/routes/subscribe/route";
import * as success from "~/routes/subscription-success/route";
import * as webhook from "~/routes/webhooks.stripe";
import { makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { type Measured, measure } from "../../support/measure";
import {
  type Buyer,
  deliver,
  eventOf,
  freeEmail,
  makeBuyer,
  press,
  type SentEvent,
  subscribeByHand,
} from "../../support/stripe/stripe";
import type { Run } from "./run";

async function someoneLoggedIn(tier: "free" | "premium" = "free"): Promise<string> {
  return (await makeSession(await makeUser({ tier }))).cookie;
}

async function buyer(): Promise<Buyer> {
  return makeBuyer(await makeUser());
}

/** A logged-in user, and the event of a checkout made without the app and paid with the user's address. */
async function paidElsewhere() {
  const email = freeEmail();
  const { cookie } = await makeSession(await makeUser({ ownEmail: email }));
  const { customer } = await subscribeByHand(email, { clientReference: true });
  return { cookie, event: await eventOf(customer, "checkout.session.completed") };
}

/** The checkout that an event is about. */
function checkoutIn({ signed }: SentEvent): string {
  return (JSON.parse(signed.payload) as { data: { object: { id: string } } }).data.object.id;
}

function lookAt(cookie: string, checkoutId: string): Promise<Measured> {
  return measure(success.loader, {
    path: `/subscription-success?session_id=${checkoutId}`,
    cookie,
  });
}

function offer(cookie: string): Promise<Measured> {
  return measure(subscribe.loader, { path: "/subscribe", cookie });
}

function begin(cookie: string): Promise<Measured> {
  return measure(checkout.action, { path: "/checkout-session", cookie, form: {} });
}

function receive({ signed }: SentEvent): Promise<Measured> {
  const headers = { "Stripe-Signature": signed.header };
  return measure(webhook.action, { path: "/webhooks/stripe", body: signed.payload, headers });
}

export const billingPages: Run[] = [
  {
    name: "the premium page without premium",
    outcome: "page",
    run: async () => offer(await someoneLoggedIn()),
  },
  {
    name: "the premium page with premium",
    outcome: "page",
    run: async () => offer(await someoneLoggedIn("premium")),
  },
  {
    name: "a checkout that is being processed",
    outcome: "200",
    async run() {
      const cookie = await someoneLoggedIn();
      return lookAt(cookie, await press(cookie));
    },
  },
  {
    name: "a paid checkout",
    outcome: "200",
    async run() {
      const { cookie, checkoutId } = await buyer();
      return lookAt(cookie, checkoutId);
    },
  },
  {
    name: "a checkout made without the app",
    outcome: "200",
    async run() {
      const { cookie, event } = await paidElsewhere();
      return lookAt(cookie, checkoutIn(event));
    },
  },
];

export const billingActions: Run[] = [
  {
    name: "beginning a checkout",
    outcome: "200",
    run: async () => begin(await someoneLoggedIn()),
  },
  {
    name: "continuing a checkout",
    outcome: "200",
    async run() {
      const cookie = await someoneLoggedIn();
      await press(cookie);
      return begin(cookie);
    },
  },
  {
    name: "a checkout for somebody whose premium is not recorded yet",
    outcome: "409",
    run: async () => begin((await buyer()).cookie),
  },
  {
    name: "opening the portal",
    outcome: "200",
    async run() {
      const { cookie, customer } = await buyer();
      await deliver(await eventOf(customer, "invoice.paid"));
      return measure(portal.action, { path: "/portal-session", cookie, form: {} });
    },
  },
  {
    name: "coming back from the portal",
    outcome: "302",
    async run() {
      const { cookie, customer } = await buyer();
      await deliver(await eventOf(customer, "invoice.paid"));
      return measure(portal.loader, { path: "/portal-session?next=/account", cookie });
    },
  },
  {
    name: "looking up a checkout",
    outcome: "200",
    async run() {
      const { checkoutId: sessionId } = await buyer();
      return measure(lookup.action, { path: "/checkout-session/lookup", form: { sessionId } });
    },
  },
  {
    name: "an event of a known customer",
    outcome: "200",
    run: async () => receive(await eventOf((await buyer()).customer, "invoice.paid")),
  },
  {
    name: "an event of a checkout",
    outcome: "200",
    run: async () => receive(await eventOf((await buyer()).customer, "checkout.session.completed")),
  },
  {
    name: "an event of a customer matched by address",
    outcome: "200",
    run: async () => receive((await paidElsewhere()).event),
  },
  {
    name: "an event that is delivered again",
    outcome: "200",
    async run() {
      const event = await eventOf((await buyer()).customer, "invoice.paid");
      await receive(event);
      return receive(event);
    },
  },
];
