/** The Stripe stand-in's faults, and what is kept across a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { press } from "../rig.ts";
import { type StripeRig, startEndpoint, startStripeRig } from "./rig.ts";

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

it.each([
  [500, "StripeAPIError", "api_error"],
  [429, "StripeRateLimitError", "invalid_request_error"],
  [402, "StripeCardError", "card_error"],
])("fails a call with %i like Stripe", async (statusCode, type, rawType) => {
  await rig.control("fail", { route: "GET /v1/subscriptions", status: statusCode });
  await expect(stripe.subscriptions.list()).rejects.toMatchObject({ type, rawType });
  await stripe.subscriptions.list();
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
  const settled = () => {
    expect(app.deliveries.length).toBeGreaterThanOrEqual(10);
    expect(app.types()).toContain("customer.subscription.updated");
  };
  await vi.waitFor(settled, { timeout: 60_000 });
  await second.close();
  app.close();
});
