import { expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { makeUser } from "../../support/database/factories";
import { row } from "../../support/database/rows";
import { shows, stored } from "../../support/expectations";
import { makeSession } from "../../support/login";
import { buyer, byHand } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { freeEmail } from "../../support/stripe/stripe";

const [monthly, yearly, foreign] = [
  "price_FivefoldPremiumMonthly",
  "price_FivefoldPremiumYearly",
  "price_ForeignMonthly",
];
const changed = "customer.subscription.updated";

/** Somebody with a subscription made in Stripe's dashboard, which is on record. */
async function subscriber(fields: { prices?: string[]; quantity?: number } = {}) {
  const email = freeEmail();
  const user = await makeUser({ ownEmail: email });
  const bought = await byHand(email, fields);
  const { cookie } = await makeSession(user);
  const its = {
    ...bought,
    cookie,
    /** Something happens to it, and the app reads it anew. */
    async after(happening: Promise<unknown>) {
      await happening;
      await bought.tell(changed);
      return row("subscriptions");
    },
    /** Nothing happens but that the app reads it anew. */
    async again() {
      await bought.cancels("period_end");
      return its.after(bought.resumes());
    },
  };
  await its.again();
  return its;
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
  const { cookie, subscriptions } = await subscriber(fields);
  const [subscription] = await subscriptions();
  const renewsAt = (subscription?.items.data[0]?.current_period_end ?? 0) * 1000;
  await stored("subscriptions", { status: "active", renewsAt, price });
  shows(
    await line(cookie),
    price ? new RegExp(`, ${price.replace(".", "\\.")}$`) : /renews on [^,]+$/,
  );
});

test("a discount counts for as long as it lasts", async () => {
  const { at, again, nextPeriod } = await subscriber();
  await at("stripeCoupon", { percentOff: 50, invoices: 2 });
  for (const price of ["1.50", "1.50", "2.99"]) {
    expect(await again()).toMatchObject({ price: `USD ${price} for a month` });
    await nextPeriod();
  }
});

const unannounced = { status: "active", renewsAt: null, price: null };

test.each([
  ["it was cancelled", "stripeCancel", { at: "period_end" }],
  ["invoices are sent", "stripeInvoiced", {}],
  ["payments are paused", "stripePauseCollection", { behavior: "void" }],
])("no payment is announced where %s", async (_what, action, more) => {
  const { at, after } = await subscriber();
  expect(await after(at(action, more))).toMatchObject(unannounced);
});

test("where Stripe does not tell what is next, premium is given all the same, and nothing is announced", async () => {
  skipWaits();
  const { user, tell, cookie } = await buyer();
  const route = "POST /v1/invoices/create_preview";
  await control("fail", { route, musician: user.id, status: 500, times: 3 });
  await tell("customer.subscription.created");
  await stored("subscriptions", unannounced);
  expect(await line(cookie)).toBe("Fivefold Premium");
});

test.each(["keep_as_draft", "mark_uncollectible", "void"])(
  "where payments are paused (%s), premium lasts as long as it is paid for, and comes back with the next payment",
  async (behavior) => {
    const { at, after, nextPeriod, cookie } = await subscriber();
    const pausing = at("stripePauseCollection", { behavior });
    const stands = async (happening: Promise<unknown>) => [
      (await after(happening)).status,
      await line(cookie),
    ];
    expect(await stands(pausing)).toEqual(["active", "Fivefold Premium"]);
    expect(await stands(nextPeriod())).toEqual(["paused", "Fivefold Premium is paused"]);
    await at("stripePauseCollection", { behavior: null });
    expect(await stands(nextPeriod())).toEqual([
      ...["active", expect.stringContaining("Fivefold Premium, renews on")],
    ]);
  },
);
