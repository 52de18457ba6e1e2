/** STRIPE_TAX: Stripe works out the VAT that the price includes. What it refuses costs no subscription. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { row, rows } from "../../support/database/rows";
import { hides, shows } from "../../support/expectations";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import { eventOf, pay, stripeState } from "../../support/stripe/stripe";

const bindings = { ...env, STRIPE_TAX: "on" };

/** The stand-in's, whom all tests share. */
afterEach(() => control("stripeTax"));

async function buys(asked: { bindings?: object } = { bindings }) {
  const { user, cookie } = await makeMember();
  const response = await request("/checkout-session", { cookie, json: {}, ...asked });
  const { url = "" } = await response.json<{ url?: string }>();
  const [, id = ""] = /\/(cs_\w+)$/.exec(url) ?? [];
  const page = await (await fetch(url)).text();
  const { session } = await pay(id);
  const customer = String(session.customer);
  const { payload, header } = (await eventOf(customer, "invoice.paid")).signed;
  const told = { body: payload, headers: { "Stripe-Signature": header }, ...asked };
  expect((await request("/webhooks/stripe", told)).status).toBe(200);
  const [subscription] = (await stripeState({ customer })).subscriptions;
  return {
    user,
    cookie,
    page,
    record: await row("subscriptions", { userId: user.id }),
    subscription,
  };
}

const alarms = async () => (await rows("dailyCounts", { name: "tax_refused" })).length;

test("with it on, checkout, subscription, record and pages say that VAT is included", async () => {
  const { cookie, page, record, subscription } = await buys();
  shows(page, "VAT of $0.48 included");
  expect(subscription?.automatic_tax.enabled).toBe(true);
  expect(record?.price).toBe("USD 2.99 for a month, VAT included");
  shows(await (await request("/account", { cookie, bindings })).text(), "VAT included");
  const visitor = await (await request("/", { bindings })).text();
  shows(visitor, "USD 2.99 per month, VAT included");
  shows(await (await request("/terms", { bindings })).text(), "USD 2.99 per month, VAT included");
  expect(await alarms()).toBe(0);
});

test("with it off, nothing changes", async () => {
  const { cookie, page, record, subscription } = await buys({});
  hides(page, "VAT");
  expect(subscription?.automatic_tax.enabled).toBe(false);
  expect(record?.price).toBe("USD 2.99 for a month");
  hides(await (await request("/account", { cookie })).text(), "VAT");
});

test("without an origin address Stripe refuses: it is sold without, and the operator is told", async () => {
  await control("stripeTax", { lacks: "origin" });
  const { record, subscription } = await buys();
  expect(subscription?.automatic_tax.enabled).toBe(false);
  expect(record).toMatchObject({ status: "active", price: "USD 2.99 for a month" });
  expect(await alarms()).toBe(1);
});

test("without a registration it is sold, and the operator is told", async () => {
  await control("stripeTax", { lacks: "registration" });
  const { record } = await buys();
  expect(record).toMatchObject({ status: "active" });
  expect(await alarms()).toBe(1);
});

test("a refusal for another reason is tried once more, and then told as ever", async () => {
  const { user, cookie } = await makeMember();
  const fault = { route: "POST /v1/checkout/sessions", musician: user.id, status: 400, times: 2 };
  await control("fail", fault);
  const response = await request("/checkout-session", { cookie, json: {}, bindings });
  expect(response.status).toBe(502);
  expect(await alarms()).toBe(0);
  expect((await sandboxRequests(user.id)).length).toBeGreaterThan(0);
});
