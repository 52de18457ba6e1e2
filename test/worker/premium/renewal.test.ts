import { expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { rowsOf } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  deliver,
  eventOf,
  freeEmail,
  makeBuyer,
  stripeState,
  subscribeByHand,
} from "../../support/stripe/stripe";

const [monthly, yearly, foreign] = [
  "price_FivefoldPremiumMonthly",
  "price_FivefoldPremiumYearly",
  "price_ForeignMonthly",
];

/** Somebody with a subscription made in Stripe's dashboard. */
async function subscriber(fields: { prices?: string[]; quantity?: number } = {}) {
  const email = freeEmail();
  const user = await makeUser({ ownEmail: email });
  const { customer } = await subscribeByHand(email, fields);
  const { cookie } = await makeSession(user);
  return { user, customer, cookie };
}

/** Has the app read a customer anew; nothing else happens. */
async function read(customer: string): Promise<void> {
  await control("stripeCancel", { customer, at: "period_end" });
  await control("stripeResume", { customer });
  const { status } = await deliver(await eventOf(customer, "customer.subscription.updated"));
  if (status !== 200) throw new Error(`the event was answered ${status}`);
}

/** What is on record of a user's next payment, with the end of the period by Stripe. */
async function renewal({ user, customer }: { user: { id: string }; customer: string }) {
  const [row] = (await rowsOf(
    "SELECT status, renews_at, price FROM subscriptions WHERE user_id = ?",
    user.id,
  )) as { status: string; renews_at: number | null; price: string | null }[];
  const [subscription] = (await stripeState({ customer })).subscriptions;
  const items = subscription?.items.data ?? [];
  return { ...row, ends: (items[0]?.current_period_end ?? 0) * 1000 };
}

/** The state of somebody's subscription in a line, as their page has it. */
async function line(cookie: string): Promise<string | undefined> {
  const page = await (await request("/subscribe", { cookie })).text();
  return /<\/span> <span>(Fivefold Premium[^<]*)/.exec(page.replaceAll("<!-- -->", ""))?.[1];
}

test.each([
  { what: "each month", fields: {}, price: "USD 2.99 for a month" },
  { what: "each year", fields: { prices: [yearly] }, price: "USD 29.90 for a year" },
  { what: "for two", fields: { quantity: 2 }, price: "USD 5.98 for a month" },
  { what: "with another product before it", fields: { prices: [foreign, monthly] }, price: null },
  { what: "with another product after it", fields: { prices: [monthly, foreign] }, price: null },
])("what is charged $what is on record: $price", async ({ fields, price }) => {
  const bought = await subscriber(fields);
  await read(bought.customer);
  const { ends, ...record } = await renewal(bought);
  expect(record).toEqual({ status: "active", renews_at: ends, price });
  expect(await line(bought.cookie)).toMatch(
    price ? new RegExp(`, ${price.replace(".", "\\.")}$`) : /renews on [^,]+$/,
  );
});

test("a discount counts for as long as it lasts", async () => {
  const bought = await subscriber();
  const { customer } = bought;
  await control("stripeCoupon", { customer, percentOff: 50, invoices: 2 });
  for (const price of ["1.50", "1.50", "2.99"]) {
    await read(customer);
    expect(await renewal(bought)).toMatchObject({ price: `USD ${price} for a month` });
    await control("stripePeriod", { customer });
  }
});

test.each([
  { what: "it was cancelled", order: ["stripeCancel", { at: "period_end" }] as const },
  { what: "invoices are sent", order: ["stripeInvoiced", {}] as const },
  { what: "payments are paused", order: ["stripePauseCollection", { behavior: "void" }] as const },
])("no payment is announced where $what", async ({ order: [action, more] }) => {
  const bought = await subscriber();
  await read(bought.customer);
  await control(action, { customer: bought.customer, ...more });
  const event = await eventOf(bought.customer, "customer.subscription.updated");
  expect((await deliver(event)).status).toBe(200);
  expect(await renewal(bought)).toMatchObject({ status: "active", renews_at: null, price: null });
});

test("where Stripe does not tell what is next, premium is given all the same, and nothing is announced", async () => {
  skipWaits();
  const user = await makeUser();
  const bought = await makeBuyer(user);
  const route = "POST /v1/invoices/create_preview";
  await control("fail", { route, musician: user.id, status: 500, times: 3 });
  await deliver(await eventOf(bought.customer, "customer.subscription.created"));
  expect(await renewal(bought)).toMatchObject({ status: "active", renews_at: null, price: null });
  expect(await line(bought.cookie)).toBe("Fivefold Premium");
});

test.each(["keep_as_draft", "mark_uncollectible", "void"])(
  "where payments are paused (%s), premium lasts as long as it is paid for, and comes back with the next payment",
  async (behavior) => {
    const bought = await subscriber();
    const { customer, cookie } = bought;
    const next = async () => {
      await control("stripePeriod", { customer });
      const event = await eventOf(customer, "customer.subscription.updated");
      expect((await deliver(event)).status).toBe(200);
      return (await renewal(bought)).status;
    };
    await read(customer);
    await control("stripePauseCollection", { customer, behavior });
    await read(customer);
    expect([(await renewal(bought)).status, await line(cookie)]).toEqual([
      "active",
      "Fivefold Premium",
    ]);
    expect([await next(), await line(cookie)]).toEqual(["paused", "Fivefold Premium is paused"]);
    await control("stripePauseCollection", { customer, behavior: null });
    expect([await next(), await line(cookie)]).toEqual([
      "active",
      expect.stringContaining("Fivefold Premium, renews on"),
    ]);
  },
);
