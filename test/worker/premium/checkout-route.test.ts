import { env } from "cloudflare:workers";
import type Stripe from "stripe";
import { expect, test } from "vitest";
import { contents } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  makeBuyer,
  pay,
  press,
  recordOf,
  stripeApi,
  stripeState,
  toldByStripe,
} from "../../support/stripe/stripe";
import { tierIn } from "../../support/tier-badge";

const origin = env.APP_ORIGIN;

async function answerOf(response: Response): Promise<[number, unknown]> {
  return [response.status, await response.json()];
}

async function ask(cookie: string, json: Record<string, unknown> = {}) {
  return answerOf(await request("/checkout-session", { cookie, json }));
}

test("Subscribe returns the URL of a checkout for premium, with a new customer for the user, and leads a plain form there", async () => {
  const email = "ines.dalgaard@musicians.example";
  const { user, cookie } = await makeMember({ email });
  const id = await press(cookie);
  const { customers, sessions } = await stripeState({ userId: user.id });
  expect(customers).toEqual([expect.objectContaining({ email, metadata: { user_id: user.id } })]);
  expect(sessions).toEqual([
    expect.objectContaining({
      id,
      mode: "subscription",
      status: "open",
      customer: customers[0]?.id,
      client_reference_id: user.id,
      success_url: `${origin}/subscription-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${origin}/subscription-cancel`,
    }),
  ]);
  const path = `/checkout/sessions/${id}?expand[]=line_items`;
  const { line_items } = await stripeApi<Stripe.Checkout.Session>("GET", path);
  expect(line_items?.data.map(({ price, quantity }) => [price?.lookup_key, quantity])).toEqual([
    ["fivefold_premium_monthly", 1],
  ]);
  expect(await recordOf(user)).toEqual({
    status: "none",
    tier: "free",
    subscription_id: null,
    customer_id: customers[0]?.id,
    started_at: null,
    cancel_at: null,
  });
  const form = await request("/checkout-session", { cookie, form: {} });
  expect([form.status, form.headers.get("Location")]).toEqual([303, sessions[0]?.url]);
});

test("Stripe asks for the address of somebody without one", async () => {
  const { user, cookie } = await makeMember({ email: null });
  const { session } = await pay(await press(cookie), "typed@elsewhere.example");
  expect(session).toMatchObject({
    status: "complete",
    customer_details: { email: "typed@elsewhere.example" },
  });
  const { subscriptions } = await stripeState({ userId: user.id });
  expect(subscriptions).toMatchObject([{ status: "active", metadata: { user_id: user.id } }]);
});

test.each(["/", "/ratings-of-my-songs?a=b", "/back?id={CHECKOUT_SESSION_ID}#there"])(
  "the price on offer and a return address on this site are accepted: %s",
  async (path) => {
    const { user, cookie } = await makeMember();
    const addresses = { successUrl: origin + path, cancelUrl: `${origin}/faq` };
    const priceId = "price_FivefoldPremiumMonthly";
    expect((await ask(cookie, { priceId, ...addresses }))[0]).toBe(200);
    const { sessions } = await stripeState({ userId: user.id });
    expect(sessions).toMatchObject([
      { success_url: addresses.successUrl, cancel_url: addresses.cancelUrl },
    ]);
  },
);

const { host } = new URL(origin);

test.each([
  ...["price_ForeignMonthly", "price_of_nothing", "", 7].map(
    (given) => ["priceId", given] as const,
  ),
  ...[
    "https://evil.example/",
    `https://${host}/`,
    `ftp://${host}/`,
    "http://127.0.0.1:8788/",
    "http://127.0.0.1/",
    "http://localhost:8787/",
    `http://${host}@evil.example/`,
    `http://${host}:pass@evil.example/`,
    `http://evil@${host}/`,
    `http://${host}\\@evil.example/`,
    `http://${host}.evil.example/`,
    `http://evil.example/${origin}/`,
    `http://evil.example#${origin}/`,
    `//evil.example/`,
    `//${host}/`,
    "/subscription-success",
    "javascript:alert(1)",
    `javascript://${host}/%0aalert(1)`,
    "data:text/html,hello",
    `blob:${origin}/0b5c`,
    "http://",
    "not an address",
    "",
  ].map((given) => ["successUrl", given] as const),
])("another %s is refused (%j), and nothing is created at Stripe", async (name, given) => {
  const { user, cookie } = await makeMember();
  const before = await contents();
  const error =
    name === "priceId" ? "This price is not on offer." : "The return address must be on this site.";
  for (const field of name === "priceId" ? [name] : [name, "cancelUrl"]) {
    expect([field, await ask(cookie, { [field]: given })]).toEqual([field, [422, { error }]]);
  }
  expect(await contents()).toEqual(before);
  expect((await stripeState({ userId: user.id })).customers).toEqual([]);
});

const unpaid = { error: expect.stringMatching(/waiting for a payment/) };
const already = { error: expect.stringMatching(/^You have Fivefold Premium already/) };

test.each(["premium", "past_due"] as const)("who is %s cannot buy premium again", async (tier) => {
  const { user, cookie } = await makeMember({ tier });
  const before = await contents();
  expect(await ask(cookie)).toEqual([409, already]);
  const page = await request("/checkout-session", { cookie, form: {} });
  expect([page.status, await page.text()]).toEqual([
    409,
    expect.stringContaining("You have Fivefold Premium already"),
  ]);
  expect(await contents()).toEqual(before);
  expect((await stripeState({ userId: user.id })).sessions).toEqual([]);
});

test.each(["active", "past_due", "unpaid", "incomplete", "paused"])(
  "who has a subscription that is %s according to Stripe alone cannot buy another, and the record is updated",
  async (status) => {
    const { user, cookie, customer, subscription } = await makeBuyer(await makeUser());
    expect(await recordOf(user)).toMatchObject({ status: "none" });
    if (status !== "active") await control("stripeStatus", { subscription, status });
    const isPaid = ["active", "past_due"].includes(status);
    expect(await ask(cookie)).toEqual([409, isPaid ? already : unpaid]);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    const { sessions } = await stripeState({ customer });
    expect(sessions.map((session) => session.status)).toEqual(["complete"]);
    if (status !== "active") return;
    expect(tierIn(await (await request("/faq", { cookie })).text())).toBe("Premium");
  },
);

test("whose subscription ended can buy it again, as the same customer", async () => {
  const { cookie, customer, checkoutId } = await makeBuyer(await makeUser());
  await control("stripeCancel", { customer, at: "now" });
  const again = await press(cookie);
  expect(again).not.toBe(checkoutId);
  const { session } = await pay(again);
  expect([session.status, session.customer]).toEqual(["complete", customer]);
});
