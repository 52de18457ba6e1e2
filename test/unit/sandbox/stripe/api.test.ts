/** The Stripe stand-in responds to the real SDK like Stripe's API. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FOREIGN_PRICE_ID, PREMIUM_PRICE_ID } from "../../../sandbox/stripe/objects/prices.ts";
import { type StripeRig, startStripeRig } from "./rig.ts";

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

it("ends a deleted customer's subscription and open checkout", async () => {
  const { customer, subscription } = await rig.subscriber();
  const session = await rig.checkout({ customer: customer.id });
  const seen = (await rig.eventTypes(customer.id)).length;
  await stripe.customers.del(customer.id);
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: "canceled",
  });
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("expired");
  expect(await rig.eventTypes(customer.id, seen)).toEqual([
    "customer.subscription.deleted",
    "checkout.session.expired",
    "customer.deleted",
  ]);
  const history = await stripe.subscriptions.list({ customer: customer.id, status: "all" });
  expect(history.data.map(({ id }) => id)).toEqual([subscription.id]);
});

it("finds customers by e-mail address, newest first, without deleted ones", async () => {
  const email = "twins@musicians.example";
  const first = await stripe.customers.create({ email });
  const second = await stripe.customers.create({ email });
  const gone = await stripe.customers.create({ email });
  await stripe.customers.create({ email: "other@musicians.example" });
  await stripe.customers.del(gone.id);
  const found = await stripe.customers.list({ email, limit: 5 });
  expect(found).toMatchObject({ object: "list", has_more: false, url: "/v1/customers" });
  expect(found.data.map(({ id }) => id)).toEqual([second.id, first.id]);
});

it("pages lists forwards, backwards and automatically", async () => {
  const email = "many@musicians.example";
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await stripe.customers.create({ email })).id);
  const page = async (more: Stripe.CustomerListParams) => {
    const { data, has_more } = await stripe.customers.list({ email, limit: 2, ...more });
    return { ids: data.map(({ id }) => id), more: has_more };
  };
  expect(await page({})).toEqual({ ids: ids.slice(0, 2), more: true });
  expect(await page({ starting_after: ids[1] ?? "" })).toEqual({
    ids: ids.slice(2, 4),
    more: true,
  });
  expect(await page({ starting_after: ids[3] ?? "" })).toEqual({ ids: ids.slice(4), more: false });
  expect(await page({ ending_before: ids[3] ?? "" })).toEqual({ ids: ids.slice(1, 3), more: true });
  expect(await page({ ending_before: ids[2] ?? "" })).toEqual({
    ids: ids.slice(0, 2),
    more: false,
  });
  const all = await stripe.customers.list({ email, limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(all.map(({ id }) => id)).toEqual(ids);
  const soon = Math.floor(Date.now() / 1000) + 60;
  expect((await stripe.customers.list({ email, created: { gte: soon } })).data).toEqual([]);
  expect((await stripe.customers.list({ email, created: { lt: soon } })).data).toHaveLength(5);
});

it("has one product, whose price has a lookup key, and the price of another product", async () => {
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
  expect(String(data[0]?.unit_amount_decimal)).toBe("299");
  expect((await stripe.prices.list({ active: false })).data).toEqual([]);
  const foreign = await stripe.prices.retrieve(FOREIGN_PRICE_ID);
  expect(foreign).toMatchObject({ unit_amount: 999, type: "recurring" });
  expect(foreign.lookup_key).not.toBe("fivefold_premium_monthly");
  expect((await stripe.products.retrieve(String(foreign.product))).name).not.toContain("Fivefold");
});

it("lists events by type", async () => {
  const { customer, subscription } = await rig.subscriber();
  await stripe.customers.update(customer.id, { name: "A" });
  const since = { created: { gte: subscription.created - 60 }, limit: 50 };
  const types = async (filter: Stripe.EventListParams) => {
    const { data } = await stripe.events.list({ ...since, ...filter });
    return [...new Set(data.map(({ type }) => type))].sort();
  };
  expect(await types({ type: "invoice.paid" })).toEqual(["invoice.paid"]);
  expect(await types({ type: "customer.subscription.*" })).not.toContain("customer.updated");
  const two = ["customer.updated", "invoice.created"];
  expect(await types({ types: two })).toEqual(two);
  expect((await types({})).length).toBeGreaterThan(5);
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
