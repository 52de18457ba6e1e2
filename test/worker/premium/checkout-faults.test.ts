import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "~/platform/env";
import { createStripe } from "~/premium/stripe.server";
import * as checkout from "~/routes/checkout-session";
import { skipWaits } from "../../support/clock";
import { contents } from "../../support/database/contents";
import type { TestUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { measure } from "../../support/measure";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { stubBilling } from "../../support/stripe/billing-stub";
import { pay, press, recordOf, stripeApi, stripeState } from "../../support/stripe/stripe";

beforeEach(skipWaits);

const failed = { error: "Failed to start subscription. Please try again." };
/** How often Stripe's library tries a call that gets no response or a 5xx. */
const attempts = 3;

/** Makes a route of Stripe's fail for one press. */
function failing(
  user: TestUser,
  route: string,
  fault: { status: number; [more: string]: unknown },
) {
  const retried = fault.status === 0 || fault.status >= 500;
  return control("fail", { musician: user.id, route, times: retried ? attempts : 1, ...fault });
}

async function subscribe(cookie: string): Promise<[number, unknown]> {
  const response = await request("/checkout-session", { cookie, json: {} });
  return [response.status, await response.json()];
}

const html = { body: "<html>Bad gateway</html>", contentType: "text/html" };

describe("if Stripe fails to", () => {
  test.each([
    { what: "create a customer", route: "POST /v1/customers", fault: { status: 500 }, status: 503 },
    { what: "create a customer", route: "POST /v1/customers", fault: { status: 402 }, status: 502 },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 500 },
      status: 503,
    },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 0 },
      status: 503,
    },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 429 },
      status: 503,
    },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 400 },
      status: 502,
    },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 401 },
      status: 502,
    },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 502, ...html },
      status: 503,
    },
    {
      what: "create a checkout",
      route: "POST /v1/checkout/sessions",
      fault: { status: 200, ...html },
      status: 503,
    },
  ])(
    "$what ($fault), the response is $status, nothing is bought, and the next press works",
    async (row) => {
      const { user, cookie } = await makeMember();
      await failing(user, row.route, row.fault);
      expect(await subscribe(cookie)).toEqual([row.status, failed]);
      const nothing = { status: "none", tier: "free", subscription_id: null };
      expect((await recordOf(user)) ?? nothing).toMatchObject(nothing);
      await press(cookie);
      const { customers, sessions } = await stripeState({ userId: user.id });
      expect([customers.length, sessions.map(({ status }) => status)]).toEqual([1, ["open"]]);
    },
  );

  test.each([
    { what: "return the subscriptions", route: "GET /v1/subscriptions" },
    { what: "return the checkout", route: "GET /v1/checkout/sessions/:id" },
  ])("$what, no second checkout is created", async ({ route }) => {
    const { user, cookie } = await makeMember();
    const first = await press(cookie);
    const before = await contents();
    await failing(user, route, { status: 500 });
    expect(await subscribe(cookie)).toEqual([503, failed]);
    expect(await contents()).toEqual(before);
    expect(await press(cookie)).toBe(first);
  });

  test("store the buyer's address, the press works all the same, with one customer", async () => {
    const { user, cookie } = await makeMember();
    await failing(user, "POST /v1/customers/:id", { status: 500 });
    await press(cookie);
    const { customers } = await stripeState({ userId: user.id });
    expect(customers).toMatchObject([{ email: null }]);
  });

  test("list the older checkouts, the next press still leads to the new one", async () => {
    const { user, cookie } = await makeMember();
    await failing(user, "GET /v1/checkout/sessions", { status: 500 });
    expect(await subscribe(cookie)).toEqual([503, failed]);
    const [begun] = (await stripeState({ userId: user.id })).sessions;
    expect(await press(cookie)).toBe(begun?.id);
  });

  test("respond at first, and then is slow, the press still works", async () => {
    const { user, cookie } = await makeMember();
    const route = "POST /v1/checkout/sessions";
    await control("fail", { musician: user.id, route, status: 0, times: attempts - 1 });
    await control("delay", { musician: user.id, route, ms: 200, times: -1 });
    await press(cookie);
    expect((await stripeState({ userId: user.id })).sessions).toHaveLength(1);
  });
});

test("people get the error as a page with a way back", async () => {
  const { user, cookie } = await makeMember();
  await failing(user, "POST /v1/checkout/sessions", { status: 400 });
  const page = await request("/checkout-session", { cookie, form: {} });
  const text = await page.text();
  expect([page.status, page.headers.get("Content-Type")]).toEqual([
    502,
    "text/html; charset=utf-8",
  ]);
  expect(text).toContain(`<p class="lead">${failed.error}</p>`);
  expect(text).toMatch(/<a class="button"[^>]* href="\/">/);
});

test("if there is no price for the lookup key, nothing is created at Stripe", async () => {
  const { user, cookie } = await makeMember();
  const before = await contents();
  const config = readConfig(env);
  const billing = createStripe({ ...config.stripe, priceLookupKey: "no_such_price" }, config);
  const { answer } = await measure(checkout.action, { path: "/", cookie, form: {}, billing });
  const response = answer as Response;
  expect([response.status, await response.json()]).toEqual([503, failed]);
  expect(await contents()).toEqual(before);
  expect((await stripeState({ userId: user.id })).customers).toEqual([]);
});

describe("a checkout without a URL", () => {
  const noUrl = { error: "No checkout URL returned from server" };

  test("is reported as such, and the next press creates another", async () => {
    const { user, cookie } = await makeMember();
    const begun: string[] = [];
    const billing = stubBilling({
      createCustomer: async () => "cus_1",
      customer: async (id) => ({ id, userId: user.id, email: null }),
      subscriptions: async () => [],
      expireCheckouts: async () => undefined,
      checkout: async (id) => ({
        id,
        status: "open",
        userId: null,
        customerId: "cus_1",
        email: null,
        url: null,
      }),
      async createCheckout({ userId, customerId, idempotencyKey }) {
        begun.push(idempotencyKey);
        const id = `cs_${begun.length}`;
        return { id, status: "open", userId, customerId, email: null, url: null };
      },
    });
    for (const _ of [1, 2]) {
      const { answer } = await measure(checkout.action, { path: "/", cookie, form: {}, billing });
      const response = answer as Response;
      expect([response.status, await response.json()]).toEqual([502, noUrl]);
    }
    expect(new Set(begun).size).toBe(2);
  });

  test("is also reported if the response says nothing else", async () => {
    const { user, cookie } = await makeMember();
    await failing(user, "POST /v1/checkout/sessions", {
      status: 200,
      body: { object: "checkout.session" },
    });
    expect(await subscribe(cookie)).toEqual([502, noUrl]);
  });
});

test("a user whose customer was deleted at Stripe can still subscribe", async () => {
  const { user, cookie } = await makeMember();
  await press(cookie);
  const [customer] = (await stripeState({ userId: user.id })).customers;
  await stripeApi("DELETE", `/customers/${customer?.id}`);
  const { session } = await pay(await press(cookie));
  expect(session.status).toBe("complete");
});
