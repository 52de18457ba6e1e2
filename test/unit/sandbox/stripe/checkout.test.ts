/** The checkout page of the Stripe stand-in. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { press, textOf } from "../rig.ts";
import { CANCEL_URL, type StripeRig, SUCCESS_URL, startStripeRig } from "./rig.ts";

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

function successOf({ id }: Stripe.Checkout.Session): string {
  return SUCCESS_URL.replace("{CHECKOUT_SESSION_ID}", id);
}

it("shows the product, the price, the customer and a way back", async () => {
  const customer = await stripe.customers.create({ email: "ann@musicians.example" });
  const session = await rig.checkout({ customer: customer.id });
  expect(session).toMatchObject({
    status: "open",
    payment_status: "unpaid",
    customer: customer.id,
    customer_email: null,
    amount_total: 299,
    url: `${rig.sandbox.origin}/stripe/checkout/${session.id}`,
    expires_at: session.created + 24 * 60 * 60,
  });
  const response = await fetch(session.url ?? "");
  const page = await response.clone().text();
  expect(await textOf(response)).toContain("Subscribe to Fivefold Premium $2.99 per month");
  expect(page).toContain("ann@musicians.example");
  expect(page).not.toContain('type="email"');
  expect(page).toContain(`href="${CANCEL_URL}"`);
  expect((await fetch(`${rig.sandbox.origin}/stripe/checkout/cs_none`)).status).toBe(404);
});

it("pays with one press and redirects with the session's id", async () => {
  const customer = await stripe.customers.create({ email: "bob@musicians.example" });
  const session = await rig.checkout({
    customer: customer.id,
    client_reference_id: "u2",
    metadata: { from: "test" },
    subscription_data: { metadata: { user_id: "u2" } },
  });
  const response = await press(session.url ?? "", { card: "works" });
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(successOf(session));

  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ["subscription"] });
  expect(paid).toMatchObject({
    status: "complete",
    payment_status: "paid",
    url: null,
    client_reference_id: "u2",
    metadata: { from: "test" },
    customer_email: null,
    customer_details: { email: "bob@musicians.example" },
    subscription: {
      status: "active",
      customer: customer.id,
      metadata: { user_id: "u2" },
      cancel_at: null,
      items: { data: [{ price: { unit_amount: 299 } }] },
    },
  });
  const invoices = await stripe.invoices.list({ customer: customer.id });
  expect(invoices.data).toMatchObject([
    {
      status: "paid",
      amount_paid: 299,
      billing_reason: "subscription_create",
      parent: { subscription_details: { subscription: (paid.subscription as { id: string }).id } },
    },
  ]);
  expect(await rig.eventTypes(customer.id)).toEqual([
    "customer.created",
    "customer.subscription.created",
    "invoice.created",
    "invoice.finalized",
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_succeeded",
    "checkout.session.completed",
  ]);
});

it("stays open after a card was declined", async () => {
  const customer = await stripe.customers.create({ email: "cay@musicians.example" });
  const session = await rig.checkout({ customer: customer.id });
  const declined = await press(session.url ?? "", { card: "declined" });
  expect(declined.status).toBe(402);
  expect(await textOf(declined)).toContain("Your card was declined.");
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
  expect((await press(session.url ?? "", { card: "works" })).status).toBe(303);
});

it("creates one subscription for several clicks", async () => {
  const customer = await stripe.customers.create({ email: "dot@musicians.example" });
  const session = await rig.checkout({ customer: customer.id });
  const url = session.url ?? "";
  const presses = await Promise.all([1, 2, 3].map(() => press(url, { card: "works" })));
  expect(presses.map(({ headers }) => headers.get("Location"))).toEqual(
    [1, 2, 3].map(() => successOf(session)),
  );
  const all = await stripe.subscriptions.list({ customer: customer.id, status: "all" });
  expect(all.data).toHaveLength(1);
  expect(await textOf(await fetch(url))).toContain("You have already paid");
  expect((await stripe.checkout.sessions.list({ customer: customer.id })).data).toMatchObject([
    { status: "complete" },
  ]);
});

it("creates a customer if there is none, with the address from the page", async () => {
  const session = await rig.checkout({ customer_email: "eve@musicians.example" });
  expect(session).toMatchObject({ customer: null, customer_details: null });
  const page = await (await fetch(session.url ?? "")).text();
  expect(page).toContain('value="eve@musicians.example"');
  const empty = await press(session.url ?? "", { card: "works", email: "eve" });
  expect(empty.status).toBe(422);
  expect(await textOf(empty)).toContain("Enter an e-mail address.");
  await press(session.url ?? "", { card: "works", email: "eve@elsewhere.example" });
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ["customer"] });
  expect(paid).toMatchObject({
    customer: { email: "eve@elsewhere.example" },
    customer_details: { email: "eve@elsewhere.example" },
    customer_email: "eve@musicians.example",
  });
});

it("asks a customer without an address for one and saves it", async () => {
  const customer = await stripe.customers.create({});
  const session = await rig.checkout({ customer: customer.id });
  expect(await (await fetch(session.url ?? "")).text()).toContain('type="email"');
  await press(session.url ?? "", { card: "works", email: "fay@musicians.example" });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
    email: "fay@musicians.example",
  });
  expect((await rig.eventTypes(customer.id)).slice(0, 2)).toEqual([
    "customer.created",
    "customer.updated",
  ]);
});

it("expires when its time is over", async () => {
  const customer = await stripe.customers.create({ email: "hal@musicians.example" });
  const expires_at = Math.floor(Date.now() / 1000) + 45 * 60;
  const session = await rig.checkout({ customer: customer.id, expires_at });
  vi.useFakeTimers({ toFake: ["Date"], now: expires_at * 1000 + 1 });
  try {
    expect((await press(session.url ?? "", { card: "works" })).status).toBe(410);
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("expired");
  } finally {
    vi.useRealTimers();
  }
  expect(await rig.eventTypes(customer.id, 1)).toEqual(["checkout.session.expired"]);
});

it("accepts no payment after it has expired", async () => {
  const customer = await stripe.customers.create({ email: "gus@musicians.example" });
  const session = await rig.checkout({ customer: customer.id });
  expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({
    status: "expired",
    url: null,
  });
  expect(await textOf(await fetch(session.url ?? ""))).toContain("This checkout has expired");
  expect((await press(session.url ?? "", { card: "works" })).status).toBe(410);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
  await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({
    statusCode: 400,
  });
  expect(await rig.eventTypes(customer.id, 1)).toEqual(["checkout.session.expired"]);
  const open = await stripe.checkout.sessions.list({ customer: customer.id, status: "open" });
  expect(open.data).toEqual([]);
});
