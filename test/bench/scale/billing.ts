/** Everything about premium that uses the database. */
import { type Ask, type CountedApp, newUser } from "../worker/counted-app.ts";
import type { Run } from "./world.ts";

interface Buyer {
  cookie: string;
  checkoutId: string;
  customer: string;
}

async function press(app: CountedApp): Promise<{ cookie: string; checkoutId: string }> {
  const cookie = await app.logIn(await newUser(app));
  const answer = await app.ask({ path: "/checkout-session", cookie, form: {} });
  const { url } = (await answer.json()) as { url: string };
  return { cookie, checkoutId: /\/(cs_\w+)$/.exec(url)?.[1] ?? "" };
}

/** A new user whose premium is recorded. */
export async function subscribed(app: CountedApp): Promise<Buyer> {
  const buyer = await buy(app);
  await app.ask(await event(app, buyer, "invoice.paid"));
  return buyer;
}

/** A new user who has paid, which is not recorded yet. */
async function buy(app: CountedApp): Promise<Buyer> {
  const begun = await press(app);
  const paid = await app.control<{ session: { customer: string } }>("stripePay", {
    session: begun.checkoutId,
  });
  return { ...begun, customer: paid.session.customer };
}

async function event(app: CountedApp, { customer }: Buyer, type: string): Promise<Ask> {
  type Sent = { type: string; signed: { payload: string; header: string } };
  const { events } = await app.control<{ events: Sent[] }>("stripeEvents", { customer });
  const signed = events.findLast((one) => one.type === type)?.signed;
  if (!signed) throw new Error(`there was no ${type}`);
  return {
    path: "/webhooks/stripe",
    body: signed.payload,
    headers: { "Stripe-Signature": signed.header },
  };
}

export const billingRuns: Run[] = [
  {
    name: "premium page",
    prepare: async (app) => ({ path: "/subscribe", cookie: await app.logIn(await newUser(app)) }),
  },
  {
    name: "beginning a checkout",
    prepare: async (app) => ({
      path: "/checkout-session",
      cookie: await app.logIn(await newUser(app)),
      form: {},
    }),
  },
  {
    name: "page of a paid checkout",
    async prepare(app) {
      const { cookie, checkoutId } = await buy(app);
      return { path: `/subscription-success?session_id=${checkoutId}`, cookie };
    },
  },
  {
    name: "looking up a checkout",
    async prepare(app) {
      const { checkoutId: sessionId } = await buy(app);
      return { path: "/checkout-session/lookup", form: { sessionId } };
    },
  },
  {
    name: "webhook",
    prepare: async (app) => event(app, await buy(app), "invoice.paid"),
  },
  {
    name: "webhook of a checkout",
    prepare: async (app) => event(app, await buy(app), "checkout.session.completed"),
  },
  {
    name: "opening the portal",
    async prepare(app) {
      const { cookie } = await subscribed(app);
      return { path: "/portal-session", cookie, form: {} };
    },
  },
];
