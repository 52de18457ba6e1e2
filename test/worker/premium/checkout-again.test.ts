import { env } from "cloudflare:workers";
import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { whileWritesFail } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { makeMember, makeSession } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  makeBuyer,
  pay,
  press,
  recordOf,
  stripeApi,
  stripeState,
} from "../../support/stripe/stripe";

/** How many Stripe customers a user has, and the statuses of their checkouts, oldest first. */
async function standing(user: TestUser) {
  const { customers, sessions } = await stripeState({ userId: user.id });
  return { customers: customers.length, checkouts: sessions.map(({ status }) => status) };
}

const one = { customers: 1, checkouts: ["open"] };

describe("pressing Subscribe again", () => {
  test.each([
    { how: "", ms: 0 },
    { how: " while Stripe is slow", ms: 300 },
  ])("ten times at once$how creates one customer and one checkout", async ({ ms }) => {
    const { user, cookie } = await makeMember();
    for (const route of ["POST /v1/customers", "POST /v1/checkout/sessions"]) {
      await control("delay", { route, musician: user.id, ms });
    }
    const presses = await Promise.all(Array.from({ length: 10 }, () => press(cookie)));
    expect(new Set(presses).size).toBe(1);
    expect(await standing(user)).toEqual(one);
  });

  test("by form and by script at once leads both to the same checkout", async () => {
    const { user, cookie } = await makeMember();
    const [form, id] = await Promise.all([
      request("/checkout-session", { cookie, form: {} }),
      press(cookie),
    ]);
    expect(form.headers.get("Location")).toMatch(new RegExp(`/${id}$`));
    expect(await standing(user)).toEqual(one);
  });

  test("later or on another device leads to the same checkout", async () => {
    const { user, cookie } = await makeMember();
    const first = await press(cookie);
    expect(await press(cookie)).toBe(first);
    const elsewhere = await makeSession(user);
    expect(await press(elsewhere.cookie)).toBe(first);
    expect(await standing(user)).toEqual(one);
  });

  test("after the checkout has expired begins another for the same customer", async () => {
    const { user, cookie } = await makeMember();
    const first = await press(cookie);
    await stripeApi("POST", `/checkout/sessions/${first}/expire`, {});
    const presses = await Promise.all(Array.from({ length: 5 }, () => press(cookie)));
    expect(new Set(presses).size).toBe(1);
    expect(presses[0]).not.toBe(first);
    expect(await standing(user)).toEqual({ customers: 1, checkouts: ["expired", "open"] });
    expect(await press(cookie)).toBe(presses[0]);
  });

  test("ends an open checkout that the app does not know, so that it cannot be paid as well", async () => {
    const { user, cookie } = await makeMember();
    const known = await press(cookie);
    const [customer] = (await stripeState({ userId: user.id })).customers;
    await stripeApi("POST", `/checkout/sessions/${known}/expire`, {});
    await stripeApi<Stripe.Checkout.Session>("POST", "/checkout/sessions", {
      mode: "subscription",
      customer: customer?.id ?? "",
      "line_items[0][price]": "price_FivefoldPremiumMonthly",
      "line_items[0][quantity]": "1",
      success_url: env.APP_ORIGIN,
    });
    await press(cookie);
    expect((await standing(user)).checkouts).toEqual(["expired", "expired", "open"]);
  });

  test("begins a new checkout each time one has expired", async () => {
    const { user, cookie } = await makeMember();
    const begun = [];
    for (let n = 0; n < 3; n += 1) {
      const id = await press(cookie);
      begun.push(id);
      await stripeApi("POST", `/checkout/sessions/${id}/expire`, {});
    }
    expect(new Set(begun).size).toBe(3);
    expect((await standing(user)).customers).toBe(1);
  });
});

test("a checkout paid in two tabs is one subscription", async () => {
  const { user, cookie } = await makeMember();
  const id = await press(cookie);
  const paid = await Promise.all([pay(id), pay(id)]);
  expect(paid.map(({ result }) => result)).toEqual(["complete", "complete"]);
  const { subscriptions } = await stripeState({ userId: user.id });
  expect(subscriptions.map(({ status }) => status)).toEqual(["active"]);
});

test("two users who press at once become two customers, each with a checkout", async () => {
  const [one, two] = [await makeMember(), await makeMember()];
  const [first, second] = await Promise.all([press(one.cookie), press(two.cookie)]);
  expect(first).not.toBe(second);
  for (const [{ user }, id] of [
    [one, first],
    [two, second],
  ] as const) {
    const { sessions } = await stripeState({ userId: user.id });
    expect(sessions.map((session) => session.id)).toEqual([id]);
  }
});

describe("if a response of Stripe's is lost,", () => {
  test.each(["POST /v1/customers", "POST /v1/checkout/sessions"])(
    "%s is not carried out twice",
    async (route) => {
      const { user, cookie } = await makeMember();
      skipWaits();
      await control("stripeLoseAnswer", { route, musician: user.id });
      await press(cookie);
      expect(await standing(user)).toEqual(one);
    },
  );

  test("even on every retry, pressing again leads to the checkout that was created", async () => {
    const { user, cookie } = await makeMember();
    const route = "POST /v1/checkout/sessions";
    skipWaits();
    await control("stripeLoseAnswer", { route, musician: user.id, times: 3 });
    const failed = await request("/checkout-session", { cookie, json: {} });
    expect(failed.status).toBe(503);
    expect(await recordOf(user)).toMatchObject({ status: "none", tier: "free" });
    const [made] = (await stripeState({ userId: user.id })).sessions;
    expect(await press(cookie)).toBe(made?.id);
    expect(await standing(user)).toEqual(one);
  });
});

test("if the checkout could not be recorded, pressing again leads to the same one", async () => {
  const { user, cookie } = await makeMember();
  await whileWritesFail("UPDATE", "subscriptions", async () => {
    const failed = await request("/checkout-session", { cookie, json: {} });
    expect(failed.status).toBe(500);
  });
  expect(await recordOf(user)).toMatchObject({ status: "none", customer_id: null });
  await press(cookie);
  expect(await standing(user)).toEqual(one);
});

test("no second checkout is created once the first is paid, even before the webhook arrives", async () => {
  const { user, cookie, customer } = await makeBuyer(await makeUser());
  const presses = await Promise.all(
    Array.from({ length: 3 }, () => request("/checkout-session", { cookie, json: {} })),
  );
  expect(presses.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect((await stripeState({ customer })).subscriptions).toHaveLength(1);
  expect(await recordOf(user)).toMatchObject({ status: "active" });
});
