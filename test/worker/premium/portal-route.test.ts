import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { makeUser } from "../../support/database/factories";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  deliver,
  eventOf,
  freeEmail,
  makeBuyer,
  press,
  recordOf,
  stripeApi,
  subscribeByHand,
} from "../../support/stripe/stripe";

beforeEach(skipWaits);

/** A user whose premium is recorded. */
async function subscriber(email: string) {
  const buyer = await makeBuyer(await makeUser({ email }));
  await deliver(await eventOf(buyer.customer, "invoice.paid"));
  return buyer;
}

async function open(cookie: string, json: Record<string, unknown> = {}) {
  const response = await request("/portal-session", { cookie, json });
  return { status: response.status, answer: await response.json<{ url: string }>() };
}

async function portalPage(url: string): Promise<string> {
  expect(url).toMatch(new RegExp(`^${env.SANDBOX_ORIGIN}/stripe/portal/`));
  return (await fetch(url)).text();
}

test("Manage Subscription leads to the user's own portal, which links back, and to nobody else's, whatever customer is given", async () => {
  const { cookie } = await subscriber("own@portal.example");
  const other = await subscriber("other@portal.example");
  const { status, answer } = await open(cookie, {
    email: "other@portal.example",
    customer: other.customer,
    customerId: other.customer,
    userId: other.user.id,
  });
  const form = await request("/portal-session", { cookie, form: {} });
  expect([status, form.status]).toEqual([200, 303]);
  for (const url of [answer.url, form.headers.get("Location") ?? ""]) {
    const page = await portalPage(url);
    expect(page).toContain("own@portal.example");
    expect(page).not.toContain("other@");
    expect(page).toContain(`href="${env.APP_ORIGIN}/portal-session?next=%2F"`);
  }
});

test("the portal still opens after the subscription has ended, for the invoices, until the customer is deleted at Stripe", async () => {
  const { cookie, customer } = await subscriber("over@portal.example");
  await control("stripeCancel", { customer, at: "now" });
  await deliver(await eventOf(customer, "customer.subscription.deleted"));
  expect((await open(cookie)).status).toBe(200);
  await stripeApi("DELETE", `/customers/${customer}`);
  expect(await open(cookie)).toEqual({ status: 404, answer: { error: noSubscription } });
});

const noSubscription = "There is no subscription to manage. If you pay for one, write to us.";

test.each([
  { who: "never subscribed", email: "free@portal.example", error: noSubscription },
  {
    who: "has no e-mail address",
    email: null,
    error: "No email found. Please contact support.",
  },
])("who $who is told that there is nothing to manage", async ({ email, error }) => {
  const { cookie } = await makeMember({ email });
  expect(await open(cookie)).toEqual({ status: 404, answer: { error } });
  const page = await request("/portal-session", { cookie, form: {} });
  expect([page.status, await page.text()]).toEqual([
    404,
    expect.stringContaining(`<p class="lead">${error}</p>`),
  ]);
});

test("who has not paid, or whose subscription was matched by its address alone, has nothing to manage", async () => {
  const { cookie: unpaid } = await makeMember();
  await press(unpaid);
  const email = freeEmail();
  const { user, cookie } = await makeMember({ ownEmail: email });
  const { customer } = await subscribeByHand(email);
  await deliver(await eventOf(customer, "invoice.paid"));
  expect(await recordOf(user)).toMatchObject({ status: "active", customer_id: customer });
  for (const one of [unpaid, cookie]) {
    expect(await open(one)).toEqual({ status: 404, answer: { error: noSubscription } });
  }
});

test.each([
  { fault: { status: 500, times: 3 }, status: 503 },
  { fault: { status: 429 }, status: 503 },
  { fault: { status: 400 }, status: 502 },
  { fault: { status: 200, body: "<html>", contentType: "text/html" }, status: 503 },
])(
  "if Stripe answers $fault, the response is $status, and nothing is changed",
  async ({ fault, status }) => {
    const { user, cookie } = await subscriber("fault@portal.example");
    const before = await contents();
    const fail = { musician: user.id, route: "POST /v1/billing_portal/sessions", ...fault };
    const error = "Failed to create portal session. Please contact support.";
    await control("fail", fail);
    expect(await open(cookie)).toEqual({ status, answer: { error } });
    await control("fail", fail);
    const page = await request("/portal-session", { cookie, form: {} });
    const text = await page.text();
    expect([page.status, text.includes(`<p class="lead">${error}</p>`)]).toEqual([status, true]);
    expect(text).toMatch(/<a class="button"[^>]* href="\/">/);
    expect(await contents()).toEqual(before);
    expect((await open(cookie)).status).toBe(200);
  },
);
