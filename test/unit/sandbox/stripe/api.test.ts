/** The Stripe stand-in responds to the real SDK like Stripe's API. */
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

it("creates, reads, changes and deletes customers", async () => {
  const made = await stripe.customers.create({
    email: "ann@musicians.example",
    name: "Ann",
    metadata: { user_id: "u1", plan: "x" },
  });
  expect(made).toMatchObject({
    id: expect.stringMatching(/^cus_\w{14}$/),
    object: "customer",
    livemode: false,
    email: "ann@musicians.example",
    metadata: { user_id: "u1", plan: "x" },
  });
  expect(made.lastResponse.requestId).toMatch(/^req_/);
  expect(await stripe.customers.retrieve(made.id)).toEqual(made);

  const changed = await stripe.customers.update(made.id, {
    email: "ann@elsewhere.example",
    name: "",
    metadata: { plan: "", colour: "red" },
  });
  expect(changed).toMatchObject({ email: "ann@elsewhere.example", name: null });
  expect(changed.metadata).toEqual({ user_id: "u1", colour: "red" });
  expect((await stripe.customers.update(made.id, { metadata: "" })).metadata).toEqual({});

  expect(await stripe.customers.del(made.id)).toMatchObject({ id: made.id, deleted: true });
  expect(await stripe.customers.retrieve(made.id)).toMatchObject({ id: made.id, deleted: true });
  await expect(stripe.customers.update(made.id, { name: "A" })).rejects.toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  expect(await rig.eventTypes(made.id)).toEqual([
    "customer.created",
    "customer.updated",
    "customer.updated",
    "customer.deleted",
  ]);
});

it("ends a deleted customer's subscription, and no open checkout", async () => {
  const { customer, subscription } = await rig.subscriber();
  const session = await rig.checkout({ customer: customer.id });
  const seen = (await rig.eventTypes(customer.id)).length;
  await stripe.customers.del(customer.id);
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: "canceled",
  });
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
  expect(await rig.eventTypes(customer.id, seen)).toEqual([
    "customer.subscription.deleted",
    "customer.deleted",
  ]);
  const history = await stripe.subscriptions.list({ customer: customer.id, status: "all" });
  expect(history.data.map(({ id }) => id)).toEqual([subscription.id]);
});

it("finds the product's price by its lookup key", async () => {
  const { data } = await stripe.prices.list({
    lookup_keys: ["fivefold_premium_monthly"],
    active: true,
    expand: ["data.product"],
  });
  expect(data).toMatchObject([
    {
      id: PREMIUM_PRICE_ID,
      unit_amount: 299,
      currency: "usd",
      recurring: { interval: "month", interval_count: 1 },
      product: { object: "product", name: "Fivefold Premium" },
    },
  ]);
  expect((await stripe.prices.list({ active: false })).data).toEqual([]);
});

it("expands ids into objects, up to four levels deep, and refuses other properties", async () => {
  const customer = await stripe.customers.create({ email: "deep@musicians.example" });
  const { id } = await rig.checkout({ customer: customer.id });
  await rig.control("stripePay", { session: id });
  const expand = ["customer.subscriptions", "subscription.latest_invoice.customer", "line_items"];
  const session = await stripe.checkout.sessions.retrieve(id, { expand });
  expect(session).toMatchObject({
    customer: { id: customer.id, subscriptions: { data: [{ status: "active" }] } },
    subscription: { latest_invoice: { status: "paid", customer: { id: customer.id } } },
    line_items: { data: [{ quantity: 1, amount_total: 299, price: { id: PREMIUM_PRICE_ID } }] },
  });
  const plain = await stripe.checkout.sessions.retrieve(id);
  expect(plain).toMatchObject({ customer: customer.id, subscription: expect.any(String) });
  expect(plain.line_items).toBeUndefined();
  const wrong = stripe.checkout.sessions.retrieve(id, { expand: ["status"] });
  await expect(wrong).rejects.toThrow("This property cannot be expanded (status).");
});

it("accepts only its own key", async () => {
  const wrong = rig.sdk("sk_test_somebody_elses_1234").customers.list();
  await expect(wrong).rejects.toMatchObject({ type: "StripeAuthenticationError", statusCode: 401 });
  const without = await fetch(`${rig.sandbox.origin}/v1/customers`);
  expect(without.status).toBe(401);
});

const missing = { code: "resource_missing" };
const session = { mode: "subscription", success_url: SUCCESS_URL } as const;
const item = { price: PREMIUM_PRICE_ID, quantity: 1 };

it.each<[what: string, call: () => Promise<unknown>, error: object]>([
  ["a customer", () => stripe.customers.retrieve("cus_none"), { statusCode: 404, ...missing }],
  [
    "a session",
    () => stripe.checkout.sessions.retrieve("cs_none"),
    { statusCode: 404, ...missing },
  ],
  ["a subscription", () => stripe.subscriptions.cancel("sub_none"), { statusCode: 404 }],
  [
    "a price in a checkout",
    () => rig.checkout({ line_items: [{ price: "price_none", quantity: 1 }] }),
    { statusCode: 400, ...missing, param: "line_items[0][price]" },
  ],
  [
    "a customer in a checkout",
    () => rig.checkout({ customer: "cus_none" }),
    { statusCode: 400, ...missing, param: "customer" },
  ],
  [
    "a portal's customer",
    () => stripe.billingPortal.sessions.create({ customer: "cus_none" }),
    { statusCode: 400, ...missing, param: "customer" },
  ],
])("does not know %s that does not exist", async (_, call, error) => {
  await expect(call()).rejects.toMatchObject({ rawType: "invalid_request_error", ...error });
});

it.each<[what: string, call: () => Promise<unknown>, code: string | undefined, param: string]>([
  [
    "an unknown parameter",
    () => stripe.customers.create({ colour: "red" } as object),
    "parameter_unknown",
    "colour",
  ],
  [
    "an unknown parameter in a list",
    () =>
      stripe.checkout.sessions.create({
        ...session,
        line_items: [{ ...item, colour: 1 } as object],
      }),
    "parameter_unknown",
    "line_items[0][colour]",
  ],
  ["no items", () => stripe.checkout.sessions.create(session), "parameter_missing", "line_items"],
  [
    "an invalid e-mail address",
    () => stripe.customers.create({ email: "nobody" }),
    "email_invalid",
    "email",
  ],
  ["an invalid URL", () => rig.checkout({ cancel_url: "/back" }), "url_invalid", "cancel_url"],
  [
    "an expiry that is too early",
    () => rig.checkout({ expires_at: Math.floor(Date.now() / 1000) + 60 }),
    undefined,
    "expires_at",
  ],
  [
    "a limit above 100",
    () => stripe.customers.list({ limit: 101 }),
    "parameter_invalid_integer",
    "limit",
  ],
])("refuses %s", async (_, call, code, param) => {
  const refused = await call().catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  expect(refused).toMatchObject({ statusCode: 400, code, param });
});
