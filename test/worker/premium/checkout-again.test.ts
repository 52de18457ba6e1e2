import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import type { TestUser } from "../../support/database/factories";
import { answers, shows } from "../../support/expectations";
import { makeMember, makeSession } from "../../support/login";
import { buyer } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { pay, press, recordOf, stripeApi, stripeState } from "../../support/stripe/stripe";

/** How many Stripe customers a user has, and the statuses of their checkouts, oldest first. */
async function standing(user: TestUser) {
  const { customers, sessions } = await stripeState({ userId: user.id });
  return { customers: customers.length, checkouts: sessions.map(({ status }) => status) };
}

const one = { customers: 1, checkouts: ["open"] };

function expire(id: string) {
  return stripeApi("POST", `/checkout/sessions/${id}/expire`, {});
}

test.each([0, 300])(
  "pressing Subscribe ten times at once creates one customer and one checkout, with Stripe %i ms slow",
  async (ms) => {
    const { user, cookie } = await makeMember();
    for (const route of ["POST /v1/customers", "POST /v1/checkout/sessions"]) {
      await control("delay", { route, musician: user.id, ms });
    }
    const presses = await Promise.all(Array.from({ length: 10 }, () => press(cookie)));
    expect(new Set(presses).size).toBe(1);
    expect(await standing(user)).toEqual(one);
  },
);

test("pressing Subscribe by form and by script at once, later, or on another device leads to the same checkout", async () => {
  const { user, cookie } = await makeMember();
  const [form, id] = await Promise.all([
    request("/checkout-session", { cookie, form: {} }),
    press(cookie),
  ]);
  shows(form.headers.get("Location"), new RegExp(`/${id}$`));
  expect(await press(cookie)).toBe(id);
  expect(await press((await makeSession(user)).cookie)).toBe(id);
  expect(await standing(user)).toEqual(one);
});

test("pressing Subscribe after the checkout has expired begins another for the same customer, each time", async () => {
  const { user, cookie } = await makeMember();
  const begun = [await press(cookie)];
  for (let n = 0; n < 2; n += 1) {
    await expire(begun.at(-1) ?? "");
    const presses = await Promise.all(Array.from({ length: 5 }, () => press(cookie)));
    expect(new Set(presses).size).toBe(1);
    begun.push(presses[0] ?? "");
  }
  expect(new Set(begun).size).toBe(3);
  expect(await standing(user)).toEqual({ customers: 1, checkouts: ["expired", "expired", "open"] });
  expect(await press(cookie)).toBe(begun[2]);
});

test("pressing Subscribe ends an open checkout that the app does not know, so that it cannot be paid as well", async () => {
  const { user, cookie } = await makeMember();
  await expire(await press(cookie));
  const [customer] = (await stripeState({ userId: user.id })).customers;
  await stripeApi("POST", "/checkout/sessions", {
    mode: "subscription",
    customer: customer?.id ?? "",
    "line_items[0][price]": "price_FivefoldPremiumMonthly",
    "line_items[0][quantity]": "1",
    success_url: env.APP_ORIGIN,
  });
  await press(cookie);
  expect((await standing(user)).checkouts).toEqual(["expired", "expired", "open"]);
});

test("a checkout paid in two tabs is one subscription", async () => {
  const { user, cookie } = await makeMember();
  const id = await press(cookie);
  const paid = await Promise.all([pay(id), pay(id)]);
  expect(paid.map(({ result }) => result)).toEqual(["complete", "complete"]);
  const { subscriptions } = await stripeState({ userId: user.id });
  expect(subscriptions).toMatchObject([{ status: "active" }]);
});

test("two users who press at once become two customers, each with a checkout", async () => {
  const members = [await makeMember(), await makeMember()];
  const ids = await Promise.all(members.map(({ cookie }) => press(cookie)));
  expect(ids[0]).not.toBe(ids[1]);
  for (const [n, { user }] of members.entries()) {
    expect((await stripeState({ userId: user.id })).sessions).toMatchObject([{ id: ids[n] }]);
  }
});

test.each(["POST /v1/customers", "POST /v1/checkout/sessions"])(
  "if a response of Stripe's is lost, %s is not carried out twice",
  async (route) => {
    const { user, cookie } = await makeMember();
    skipWaits();
    await control("stripeLoseAnswer", { route, musician: user.id });
    await press(cookie);
    expect(await standing(user)).toEqual(one);
  },
);

test("if a response of Stripe's is lost on every retry, pressing again leads to the checkout that was created", async () => {
  const { user, cookie } = await makeMember();
  const route = "POST /v1/checkout/sessions";
  skipWaits();
  await control("stripeLoseAnswer", { route, musician: user.id, times: 3 });
  await answers(request("/checkout-session", { cookie, json: {} }), 503);
  expect(await recordOf(user)).toMatchObject({ status: "none", tier: "free" });
  const [made] = (await stripeState({ userId: user.id })).sessions;
  expect(await press(cookie)).toBe(made?.id);
  expect(await standing(user)).toEqual(one);
});

test("no second checkout is created once the first is paid, even before the webhook arrives", async () => {
  const { is, cookie, subscriptions } = await buyer();
  const presses = await Promise.all(
    [1, 2, 3].map(() => request("/checkout-session", { cookie, json: {} })),
  );
  expect(presses.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect(await subscriptions()).toHaveLength(1);
  await is("active");
});
