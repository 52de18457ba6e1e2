/** The Stripe stand-in refuses what Stripe refuses, with the same errors. */
import Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PREMIUM_PRICE_ID } from "../../../sandbox/stripe/objects/prices.ts";
import { type StripeRig, SUCCESS_URL, startStripeRig } from "./rig.ts";

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

it("accepts only its own key", async () => {
  const wrong = rig.sdk("sk_test_somebody_elses_1234").customers.list();
  await expect(wrong).rejects.toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  await expect(wrong).rejects.toThrow(/^Invalid API Key provided: sk_test_\*+1234$/);
  const without = await fetch(`${rig.sandbox.origin}/v1/customers`);
  expect(without.status).toBe(401);
  expect(await without.json()).toMatchObject({
    error: {
      type: "invalid_request_error",
      message: expect.stringContaining("You did not provide an API key."),
    },
  });
});

const session = { mode: "subscription", success_url: SUCCESS_URL } as const;
const item = { price: PREMIUM_PRICE_ID, quantity: 1 };
type Refusal = [what: string, call: () => Promise<unknown>, error: object];

it.each<Refusal>([
  [
    "an unknown customer",
    () => stripe.customers.retrieve("cus_none"),
    {
      statusCode: 404,
      code: "resource_missing",
      param: "id",
      message: "No such customer: 'cus_none'",
    },
  ],
  [
    "an unknown price",
    () => stripe.prices.retrieve("price_none"),
    { statusCode: 404, code: "resource_missing" },
  ],
  [
    "an unknown product",
    () => stripe.products.retrieve("prod_none"),
    { statusCode: 404, code: "resource_missing" },
  ],
  [
    "an unknown session",
    () => stripe.checkout.sessions.retrieve("cs_none"),
    { statusCode: 404, code: "resource_missing" },
  ],
  [
    "an unknown subscription",
    () => stripe.subscriptions.retrieve("sub_none"),
    { statusCode: 404, code: "resource_missing" },
  ],
  [
    "an unknown invoice",
    () => stripe.invoices.retrieve("in_none"),
    { statusCode: 404, code: "resource_missing" },
  ],
  [
    "an unknown event",
    () => stripe.events.retrieve("evt_none"),
    { statusCode: 404, code: "resource_missing" },
  ],
  [
    "an unknown cursor",
    () => stripe.events.list({ starting_after: "evt_none" }),
    { code: "resource_missing", param: "starting_after" },
  ],
  [
    "an unknown parameter",
    () => stripe.customers.create({ colour: "red" } as object),
    {
      statusCode: 400,
      code: "parameter_unknown",
      param: "colour",
      message: "Received unknown parameter: colour",
    },
  ],
  [
    "an unknown nested parameter",
    () =>
      stripe.checkout.sessions.create({
        ...session,
        line_items: [{ ...item, colour: 1 } as object],
      }),
    { code: "parameter_unknown", param: "line_items[0][colour]" },
  ],
  [
    "no mode",
    () => stripe.checkout.sessions.create({ line_items: [item], success_url: SUCCESS_URL }),
    {
      statusCode: 400,
      code: "parameter_missing",
      param: "mode",
      message: "Missing required param: mode.",
    },
  ],
  [
    "no items",
    () => stripe.checkout.sessions.create(session),
    { code: "parameter_missing", param: "line_items" },
  ],
  [
    "no success_url",
    () => stripe.checkout.sessions.create({ mode: "subscription", line_items: [item] }),
    { code: "parameter_missing", param: "success_url" },
  ],
  [
    "no quantity",
    () => rig.checkout({ line_items: [{ price: PREMIUM_PRICE_ID }] }),
    { statusCode: 400, param: "line_items[0][quantity]" },
  ],
  [
    "a checkout with an unknown price",
    () => rig.checkout({ line_items: [{ price: "price_none", quantity: 1 }] }),
    { statusCode: 400, code: "resource_missing", param: "line_items[0][price]" },
  ],
  [
    "a checkout with an unknown customer",
    () => rig.checkout({ customer: "cus_none" }),
    { statusCode: 400, code: "resource_missing", param: "customer" },
  ],
  [
    "both a customer and an e-mail address",
    () => rig.checkout({ customer: "cus_DemoPremium001", customer_email: "a@b.example" }),
    { code: "parameters_exclusive" },
  ],
  [
    "an invalid e-mail address",
    () => stripe.customers.create({ email: "nobody" }),
    { code: "email_invalid", param: "email" },
  ],
  [
    "an invalid URL",
    () => rig.checkout({ cancel_url: "/back" }),
    { code: "url_invalid", param: "cancel_url" },
  ],
  [
    "an expiry that is too early",
    () => rig.checkout({ expires_at: Math.floor(Date.now() / 1000) + 60 }),
    { param: "expires_at" },
  ],
  [
    "an expiry that is too late",
    () => rig.checkout({ expires_at: Math.floor(Date.now() / 1000) + 90_000 }),
    { param: "expires_at" },
  ],
  [
    "an empty customer",
    () => stripe.billingPortal.sessions.create({ customer: "" }),
    { code: "parameter_invalid_empty", param: "customer" },
  ],
  [
    "a portal for an unknown customer",
    () => stripe.billingPortal.sessions.create({ customer: "cus_none" }),
    { statusCode: 400, code: "resource_missing", param: "customer" },
  ],
  [
    "a portal without a customer",
    () => stripe.billingPortal.sessions.create({}),
    { code: "parameter_missing", param: "customer" },
  ],
  [
    "a limit of 0",
    () => stripe.customers.list({ limit: 0 }),
    { code: "parameter_invalid_integer", param: "limit" },
  ],
  [
    "a limit above 100",
    () => stripe.customers.list({ limit: 101 }),
    { code: "parameter_invalid_integer", param: "limit" },
  ],
  [
    "an unknown status",
    () => stripe.subscriptions.list({ status: "gone" }),
    { statusCode: 400, param: "status" },
  ],
  [
    "an unknown path",
    () => stripe.charges.list(),
    {
      statusCode: 404,
      message: expect.stringContaining("Unrecognized request URL (GET: /v1/charges)"),
    },
  ],
])("refuses %s", async (_, call, error) => {
  const refused = await call().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(refused).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect(refused).toMatchObject({ rawType: "invalid_request_error", ...error });
});
