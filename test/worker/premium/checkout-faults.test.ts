import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { type Billing, createStripe } from "~/premium/stripe.server";
import * as checkout from "~/routes/checkout-session";
import { skipWaits } from "../../support/clock";
import type { TestUser } from "../../support/database/factories";
import { untouched } from "../../support/database/rows";
import { shows } from "../../support/expectations";
import { makeMember } from "../../support/login";
import { measure } from "../../support/measure";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { stubBilling } from "../../support/stripe/billing-stub";
import { pay, press, recordOf, stripeApi, stripeState } from "../../support/stripe/stripe";

beforeEach(skipWaits);

const failed = { error: "Failed to start subscription. Please try again." };
const [customers, checkouts] = ["POST /v1/customers", "POST /v1/checkout/sessions"];

/** Makes a route of Stripe's fail for one press, in which Stripe's library tries again after a 5xx. */
function failing(user: TestUser, route: string, status: number, more: object = {}) {
  const times = status >= 500 ? 3 : 1;
  return control("fail", { musician: user.id, route, status, times, ...more });
}

async function subscribe(cookie: string): Promise<[number, unknown]> {
  const response = await request("/checkout-session", { cookie, json: {} });
  return [response.status, await response.json()];
}

async function pressWith(billing: Billing, cookie: string): Promise<[number, unknown]> {
  const { answer } = await measure(checkout.action, { path: "/", cookie, form: {}, billing });
  const response = answer as Response;
  return [response.status, await response.json()];
}

test.each([
  [customers, 500, 503],
  [customers, 402, 502],
  [checkouts, 500, 503],
  [checkouts, 429, 503],
  [checkouts, 400, 502],
])(
  "if %s fails at Stripe (%i), the response is %i, nothing is bought, and the next press works",
  async (route, status, answered) => {
    const { user, cookie } = await makeMember();
    await failing(user, route, status);
    expect(await subscribe(cookie)).toEqual([answered, failed]);
    const nothing = { status: "none", tier: "free", subscription_id: null };
    expect((await recordOf(user)) ?? nothing).toMatchObject(nothing);
    await press(cookie);
    const { customers, sessions } = await stripeState({ userId: user.id });
    expect([customers.length, sessions.map(({ status }) => status)]).toEqual([1, ["open"]]);
  },
);

test.each(["GET /v1/subscriptions", "GET /v1/checkout/sessions/:id"])(
  "if %s fails at Stripe, no second checkout is created",
  async (route) => {
    const { user, cookie } = await makeMember();
    const first = await press(cookie);
    await failing(user, route, 500);
    await untouched(async () => expect(await subscribe(cookie)).toEqual([503, failed]));
    expect(await press(cookie)).toBe(first);
  },
);

test("if Stripe does not store the buyer's address, the press works all the same, with one customer", async () => {
  const { user, cookie } = await makeMember();
  await failing(user, "POST /v1/customers/:id", 500);
  await press(cookie);
  const { customers } = await stripeState({ userId: user.id });
  expect(customers).toMatchObject([{ email: null }]);
});

test("people get the error as a page with a way back", async () => {
  const { user, cookie } = await makeMember();
  await failing(user, checkouts, 400);
  const page = await request("/checkout-session", { cookie, form: {} });
  const text = await page.text();
  expect([page.status, page.headers.get("Content-Type")]).toEqual([
    502,
    "text/html; charset=utf-8",
  ]);
  shows(text, `<p class="lead">${failed.error}</p>`, /<a class="button"[^>]* href="\/">/);
});

test("if there is no price for the lookup key, nothing is created at Stripe", async () => {
  const { user, cookie } = await makeMember();
  const config = readConfig(env);
  const billing = createStripe({ ...config.stripe, priceLookupKey: "no_such_price" }, config);
  await untouched(async () => {
    expect(await pressWith(billing, cookie)).toEqual([503, failed]);
  });
  expect((await stripeState({ userId: user.id })).customers).toEqual([]);
});

const noUrl = { error: "No checkout URL returned from server" };

test("a checkout without a URL is reported as such, and the next press creates another", async () => {
  const { user, cookie } = await makeMember();
  const begun: string[] = [];
  const open = {
    status: "open",
    userId: null,
    customerId: "cus_1",
    email: null,
    url: null,
  } as const;
  const billing = stubBilling({
    createCustomer: async () => "cus_1",
    customer: async (id) => ({ id, userId: user.id, email: null }),
    subscriptions: async () => [],
    expireCheckouts: async () => undefined,
    checkout: async (id) => ({ id, ...open }),
    async createCheckout({ idempotencyKey }) {
      begun.push(idempotencyKey);
      return { id: `cs_${begun.length}`, ...open };
    },
  });
  for (const _ of [1, 2]) expect(await pressWith(billing, cookie)).toEqual([502, noUrl]);
  expect(new Set(begun).size).toBe(2);
});

test("a checkout without a URL is also reported if the response says nothing else", async () => {
  const { user, cookie } = await makeMember();
  await failing(user, checkouts, 200, { body: { object: "checkout.session" } });
  expect(await subscribe(cookie)).toEqual([502, noUrl]);
});

test("a user whose customer was deleted at Stripe can still subscribe", async () => {
  const { user, cookie } = await makeMember();
  await press(cookie);
  const [customer] = (await stripeState({ userId: user.id })).customers;
  await stripeApi("DELETE", `/customers/${customer?.id}`);
  const { session } = await pay(await press(cookie));
  expect(session.status).toBe("complete");
});
