/** The Stripe stand-in's control actions: faults, resets; and what is kept across a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { press } from "../rig.ts";
import { type StripeRig, startEndpoint, startStripeRig } from "./rig.ts";

type State = Record<"customers" | "subscriptions" | "invoices" | "sessions", Stripe.Customer[]>;

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

async function counts(filter: object) {
  const state = await rig.control<State>("stripeState", { ...filter });
  const { customers, subscriptions, invoices, sessions } = state;
  return [customers, subscriptions, invoices, sessions].map(({ length }) => length);
}

it.each([
  [500, "StripeAPIError", "api_error"],
  [429, "StripeRateLimitError", "invalid_request_error"],
  [402, "StripeCardError", "card_error"],
])("fails a call with %i like Stripe", async (statusCode, type, rawType) => {
  await rig.control("fail", { route: "GET /v1/subscriptions", status: statusCode });
  await expect(stripe.subscriptions.list()).rejects.toMatchObject({ statusCode, type, rawType });
  await stripe.subscriptions.list();
});

it("cuts the connection", async () => {
  await rig.control("fail", { route: "GET /v1/events", status: 0, times: 2 });
  await expect(stripe.events.list()).rejects.toMatchObject({ type: "StripeConnectionError" });
  await stripe.events.list();
});

it("fails only Stripe's calls", async () => {
  const { access_token } = await rig.control("issueToken", { musician: "mara-lind" });
  const me = () =>
    fetch(`${rig.sandbox.origin}/spotify/api/v1/me`, {
      headers: { Authorization: `Bearer ${String(access_token)}` },
    });
  await rig.control("fail", { route: "GET /v1/customers/:id", status: 500, times: -1 });
  expect((await me()).status).toBe(200);
  await expect(stripe.customers.retrieve("cus_DemoPremium001")).rejects.toMatchObject({
    statusCode: 500,
  });
  await rig.control("reset");
  await stripe.customers.retrieve("cus_DemoPremium001");
});

it("fails only one musician's calls, however the musician is identified", async () => {
  const byEmail = await stripe.customers.create({ email: "mara-lind@musicians.example" });
  const byId = await stripe.customers.create({ metadata: { user_id: "a-user-of-d1" } });
  const bySeed = await stripe.customers.create({ metadata: { user_id: "user-kaito-morinaga" } });
  const seeded = "cus_DemoPremium001";
  const calls = {
    "mara-lind": () => rig.checkout({ customer: byEmail.id }),
    "a-user-of-d1": () => rig.checkout({ customer: byId.id }),
    "demo-premium": () => rig.checkout({ customer: seeded }),
    "tobin-ashgrove": () => rig.checkout({ customer_email: "tobin-ashgrove@musicians.example" }),
    "kaito-morinaga": () => rig.checkout({ customer: bySeed.id }),
    newcomer: () => rig.checkout({ client_reference_id: "newcomer" }),
  };
  const since = Date.now();
  for (const musician of Object.keys(calls)) {
    await rig.control("fail", { route: "POST /v1/checkout/sessions", musician });
    for (const [name, call] of Object.entries(calls)) {
      const failed = await call().then(
        () => false,
        () => true,
      );
      expect(failed, `${name}, where ${musician} was to fail`).toBe(name === musician);
    }
  }
  const logged = await fetch(
    `${rig.sandbox.origin}/control/requests?musician=mara-lind&since=${since}`,
  );
  const { requests } = (await logged.json()) as { requests: object[] };
  expect(requests).toHaveLength(6);
  expect(requests[0]).toMatchObject({
    service: "stripe",
    method: "POST",
    path: "/v1/checkout/sessions",
    headers: { "idempotency-key": expect.any(String) },
    body: { mode: "subscription", customer: byEmail.id, "line_items[0][quantity]": "1" },
    status: 500,
  });
});

it("subscribes as in the dashboard, with and without a client reference", async () => {
  type Made = { customer: Stripe.Customer; session?: Stripe.Checkout.Session };
  const email = "dash@musicians.example";
  const plain = await rig.control<Made>("stripeSubscribe", { email });
  expect(plain.customer.metadata).toEqual({});
  expect(await counts({ email })).toEqual([1, 1, 1, 0]);
  const known = await rig.control<Made>("stripeSubscribe", { email, userId: "u7" });
  expect(known.customer.metadata).toEqual({ user_id: "u7" });
  const bought = await rig.control<Made>("stripeSubscribe", {
    email,
    userId: "u8",
    clientReference: true,
  });
  expect(bought.customer.metadata).toEqual({});
  expect(bought.session).toMatchObject({ status: "complete", client_reference_id: "u8" });
  expect(await counts({ userId: "u7" })).toEqual([1, 1, 1, 0]);
  expect(await counts({ customer: bought.customer.id })).toEqual([1, 1, 1, 1]);
});

it("explains control requests that make no sense", async () => {
  await expect(rig.control("stripePay", { session: "cs_none" })).rejects.toThrow("no session");
  await expect(rig.control("stripeCard", { customer: "cus_none" })).rejects.toThrow("no customer");
  const unknown = rig.control("stripePeriod", { subscription: "sub_none" });
  await expect(unknown).rejects.toThrow("no such subscription");
  const { subscription } = await rig.subscriber();
  const vague = rig.control("stripeCancel", { subscription: subscription.id, at: "noon" });
  await expect(vague).rejects.toThrow("noon is not one of period_end, now");
  await rig.control("stripeStatus", { subscription: subscription.id, status: "unpaid" });
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("unpaid");
});

it("resets one musician, or everybody, to the seed", async () => {
  await rig.control("reset");
  const seed = [1, 1, 1, 0];
  const premium = { customer: "cus_DemoPremium001" };
  await rig.control("stripeCancel", { ...premium, at: "now" });
  await stripe.customers.create({ email: "demo-premium@musicians.example" });
  await rig.subscriber("mara-lind@musicians.example");
  await rig.control("reset", { musician: "demo-premium" });
  expect(await counts({ musician: "demo-premium" })).toEqual(seed);
  expect((await stripe.subscriptions.list(premium)).data).toMatchObject([{ status: "active" }]);
  expect(await counts({ musician: "mara-lind" })).toEqual(seed);
  await rig.control("reset");
  expect(await counts({ musician: "mara-lind" })).toEqual([0, 0, 0, 0]);
  expect(await counts({})).toEqual([2, 2, 2, 0]);
  expect((await stripe.events.list()).data).toEqual([]);
});

it("keeps everything across a restart and sends undelivered events", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "stripe-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const app = await startEndpoint(500);
  const webhook = { url: app.url, secret: "whsec_restart" };
  const first = await startStripeRig({ stateDir, webhook });
  await first.control("stripeHold");
  const email = "kept@musicians.example";
  const customer = await first.stripe.customers.create({ email }, { idempotencyKey: "kept" });
  const session = await first.checkout({ customer: customer.id });
  await first.control("stripePay", { session: session.id });
  await first.close();
  expect(app.deliveries).toEqual([]);

  const second = await startStripeRig({ stateDir, webhook });
  const paid = await second.stripe.checkout.sessions.retrieve(session.id, {
    expand: ["subscription.latest_invoice"],
  });
  expect(paid).toMatchObject({
    status: "complete",
    subscription: { status: "active", latest_invoice: { status: "paid" } },
  });
  const again = await second.stripe.customers.create({ email }, { idempotencyKey: "kept" });
  expect(again.id).toBe(customer.id);
  const portal = await second.stripe.billingPortal.sessions.create({ customer: customer.id });
  await press(`${portal.url}/cancel`, {
    subscription: String((paid.subscription as { id: string }).id),
  });
  await vi.waitFor(() => expect(app.types()).toContain("customer.subscription.updated"));
  await vi.waitFor(() => expect(app.deliveries.length).toBeGreaterThanOrEqual(10));
  await second.close();
  app.close();
});
