import { env } from "cloudflare:workers";
import type Stripe from "stripe";
import { describe, expect, test } from "vitest";
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

describe("Subscribe", () => {
  test("by script returns the URL of a checkout for premium, with a new customer for the user", async () => {
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
    const [item, ...more] = line_items?.data ?? [];
    expect([item?.price?.lookup_key, item?.quantity, more]).toEqual([
      "fivefold_premium_monthly",
      1,
      [],
    ]);
    expect(await recordOf(user)).toEqual({
      status: "none",
      tier: "free",
      subscription_id: null,
      customer_id: customers[0]?.id,
      started_at: null,
      cancel_at: null,
    });
  });

  test("by a plain form redirects to the checkout", async () => {
    const { user, cookie } = await makeMember();
    const response = await request("/checkout-session", { cookie, form: {} });
    const { sessions } = await stripeState({ userId: user.id });
    expect([response.status, response.headers.get("Location")]).toEqual([303, sessions[0]?.url]);
  });

  test("works for somebody without an e-mail address, which Stripe then asks for", async () => {
    const { user, cookie } = await makeMember({ email: null });
    const { session } = await pay(await press(cookie), "typed@elsewhere.example");
    expect(session).toMatchObject({
      status: "complete",
      customer_details: { email: "typed@elsewhere.example" },
    });
    const { subscriptions } = await stripeState({ userId: user.id });
    expect(subscriptions).toEqual([
      expect.objectContaining({ status: "active", metadata: { user_id: user.id } }),
    ]);
  });
});

describe("a given price", () => {
  test("is accepted if it is the one on offer", async () => {
    const { cookie } = await makeMember();
    const json = { priceId: "price_FivefoldPremiumMonthly" };
    expect((await request("/checkout-session", { cookie, json })).status).toBe(200);
  });

  test.each(["price_ForeignMonthly", "price_of_nothing", "", 7])(
    "is refused if it is another (%j), and nothing is created at Stripe",
    async (priceId) => {
      const { user, cookie } = await makeMember();
      const before = await contents();
      const refused = await request("/checkout-session", { cookie, json: { priceId } });
      expect(await answerOf(refused)).toEqual([422, { error: "This price is not on offer." }]);
      expect(await contents()).toEqual(before);
      expect((await stripeState({ userId: user.id })).customers).toEqual([]);
    },
  );
});

describe("a given return address", () => {
  test.each(["/", "/ratings-of-my-songs?a=b", "/back?id={CHECKOUT_SESSION_ID}#there"])(
    "is accepted if it is on this site: %s",
    async (path) => {
      const { user, cookie } = await makeMember();
      const json = { successUrl: origin + path, cancelUrl: `${origin}/faq` };
      expect((await request("/checkout-session", { cookie, json })).status).toBe(200);
      const { sessions } = await stripeState({ userId: user.id });
      expect(sessions).toEqual([
        expect.objectContaining({ success_url: origin + path, cancel_url: `${origin}/faq` }),
      ]);
    },
  );

  const { host } = new URL(origin);
  test.each([
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
  ])("is refused where it is elsewhere or none: %s", async (address) => {
    const { user, cookie } = await makeMember();
    const before = await contents();
    for (const name of ["successUrl", "cancelUrl"]) {
      const refused = await request("/checkout-session", { cookie, json: { [name]: address } });
      expect([name, ...(await answerOf(refused))]).toEqual([
        name,
        422,
        { error: "The return address must be on this site." },
      ]);
    }
    expect(await contents()).toEqual(before);
    expect((await stripeState({ userId: user.id })).customers).toEqual([]);
  });
});

describe("a user who already has premium", () => {
  const unpaid = { error: expect.stringMatching(/waiting for a payment/) };
  const already = { error: expect.stringMatching(/^You have Fivefold Premium already/) };

  test.each(["premium", "past_due"] as const)("(%s) cannot buy it again", async (tier) => {
    const { user, cookie } = await makeMember({ tier });
    const before = await contents();
    const refused = await request("/checkout-session", { cookie, json: {} });
    expect(await answerOf(refused)).toEqual([409, already]);
    const page = await request("/checkout-session", { cookie, form: {} });
    expect([
      page.status,
      (await page.text()).includes("You have Fivefold Premium already"),
    ]).toEqual([409, true]);
    expect(await contents()).toEqual(before);
    expect((await stripeState({ userId: user.id })).sessions).toEqual([]);
  });

  test("only according to Stripe cannot buy it again, and the record is updated", async () => {
    const { user, cookie, customer } = await makeBuyer(await makeUser());
    expect(await recordOf(user)).toMatchObject({ status: "none" });
    expect(await answerOf(await request("/checkout-session", { cookie, json: {} }))).toEqual([
      409,
      already,
    ]);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    expect(tierIn(await (await request("/faq", { cookie })).text())).toBe("Premium");
  });

  test.each(["past_due", "unpaid", "incomplete", "paused"])(
    "with a subscription that is %s according to Stripe cannot buy another",
    async (status) => {
      const { user, cookie, customer, subscription } = await makeBuyer(await makeUser());
      await control("stripeStatus", { subscription, status });
      const refused = await request("/checkout-session", { cookie, json: {} });
      expect(await answerOf(refused)).toEqual([409, status === "past_due" ? already : unpaid]);
      expect(await recordOf(user)).toEqual(await toldByStripe(customer));
      const { sessions } = await stripeState({ customer });
      expect(sessions.map((session) => session.status)).toEqual(["complete"]);
    },
  );

  test("until it ended can buy it again, as the same customer", async () => {
    const { cookie, customer, checkoutId } = await makeBuyer(await makeUser());
    await control("stripeCancel", { customer, at: "now" });
    const again = await press(cookie);
    expect(again).not.toBe(checkoutId);
    const { session } = await pay(again);
    expect([session.status, session.customer]).toEqual(["complete", customer]);
  });
});
