import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
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

/** The portal page. */
async function portalPage(url: string): Promise<string> {
  expect(url).toMatch(new RegExp(`^${env.SANDBOX_ORIGIN}/stripe/portal/`));
  return (await fetch(url)).text();
}

describe("Manage Subscription", () => {
  test("by script returns the URL of the user's own portal, which links back", async () => {
    const email = "mine@portal.example";
    const { cookie } = await subscriber(email);
    const { status, answer } = await open(cookie);
    expect(status).toBe(200);
    const page = await portalPage(answer.url);
    expect(page).toContain(email);
    expect(page).toContain(`href="${env.APP_ORIGIN}/portal-session?next=%2F"`);
  });

  test("by a plain form redirects to the portal", async () => {
    const { cookie } = await subscriber("form@portal.example");
    const response = await request("/portal-session", { cookie, form: {} });
    expect(response.status).toBe(303);
    const page = await portalPage(response.headers.get("Location") ?? "");
    expect(page).toContain("form@portal.example");
  });

  test("opens nobody else's portal, whatever customer is given", async () => {
    const { cookie } = await subscriber("own@portal.example");
    const other = await subscriber("other@portal.example");
    const { answer } = await open(cookie, {
      email: "other@portal.example",
      customer: other.customer,
      customerId: other.customer,
      userId: other.user.id,
    });
    const page = await portalPage(answer.url);
    expect([page.includes("own@"), page.includes("other@")]).toEqual([true, false]);
  });

  test("still opens the portal after the subscription has ended, for the invoices", async () => {
    const { cookie, customer } = await subscriber("over@portal.example");
    await control("stripeCancel", { customer, at: "now" });
    await deliver(await eventOf(customer, "customer.subscription.deleted"));
    expect((await open(cookie)).status).toBe(200);
  });
});

describe("if there is nothing to manage,", () => {
  const noSubscription = "There is no subscription to manage. Please contact support.";
  const noEmail = "No email found. Please contact support.";

  test.each([
    { name: "somebody who never subscribed", email: "free@portal.example", error: noSubscription },
    { name: "somebody without an e-mail address", email: null, error: noEmail },
  ])("$name is told so", async ({ email, error }) => {
    const { cookie } = await makeMember({ email });
    expect(await open(cookie)).toEqual({ status: 404, answer: { error } });
    const page = await request("/portal-session", { cookie, form: {} });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain(`<p class="lead">${error}</p>`);
  });

  test("so is somebody whose customer was deleted at Stripe", async () => {
    const { cookie, customer } = await subscriber("deleted@portal.example");
    await stripeApi("DELETE", `/customers/${customer}`);
    expect(await open(cookie)).toEqual({ status: 404, answer: { error: noSubscription } });
  });

  test("so is somebody whose subscription was matched only by its e-mail address", async () => {
    const email = freeEmail();
    const { user, cookie } = await makeMember({ ownEmail: email });
    const { customer } = await subscribeByHand(email);
    await deliver(await eventOf(customer, "invoice.paid"));
    expect(await recordOf(user)).toMatchObject({ status: "active", customer_id: customer });
    expect(await open(cookie)).toEqual({ status: 404, answer: { error: noSubscription } });
  });

  test("so is somebody who began a checkout and has not paid it", async () => {
    const { cookie } = await makeMember();
    await press(cookie);
    expect(await open(cookie)).toEqual({ status: 404, answer: { error: noSubscription } });
  });
});

describe("if Stripe fails", () => {
  const error = "Failed to create portal session. Please contact support.";

  test.each([
    { fault: { status: 500, times: 3 }, status: 503 },
    { fault: { status: 429 }, status: 503 },
    { fault: { status: 400 }, status: 502 },
    { fault: { status: 200, body: "<html>", contentType: "text/html" }, status: 503 },
  ])("($fault), the response is $status, and nothing is changed", async ({ fault, status }) => {
    const { user, cookie } = await subscriber("fault@portal.example");
    const before = await contents();
    const route = "POST /v1/billing_portal/sessions";
    await control("fail", { musician: user.id, route, ...fault });
    expect(await open(cookie)).toEqual({ status, answer: { error } });
    expect(await contents()).toEqual(before);
    expect((await open(cookie)).status).toBe(200);
  });

  test("people get the error as a page with a way back", async () => {
    const { user, cookie } = await subscriber("people@portal.example");
    const route = "POST /v1/billing_portal/sessions";
    await control("fail", { musician: user.id, route, status: 400 });
    const page = await request("/portal-session", { cookie, form: {} });
    const text = await page.text();
    expect([page.status, text.includes(`<p class="lead">${error}</p>`)]).toEqual([502, true]);
    expect(text).toMatch(/<a class="button"[^>]* href="\/">/);
  });
});
