/** The pages of the Stripe stand-in: checkout and portal. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
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

/** A subscriber's portal, with functions for reading its page and pressing its buttons. */
async function visit() {
  const { customer, subscription } = await rig.subscriber();
  const seen = (await rig.eventTypes(customer.id)).length;
  const session = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: CANCEL_URL,
    flow_data: { type: "payment_method_update" },
  });
  return {
    now: () => stripe.subscriptions.retrieve(subscription.id),
    events: () => rig.eventTypes(customer.id, seen),
    /** Presses a button and returns the text of the page that follows. */
    async press(command: string) {
      const url = `${session.url}/${command}`;
      const response = await press(url, { subscription: subscription.id });
      expect(response.status).toBe(303);
      return await textOf(await fetch(new URL(response.headers.get("Location") ?? "", url)));
    },
  };
}

it("cancels at the end of the period without the API's flag, and takes it back", async () => {
  const portal = await visit();
  const end = (await portal.now()).items.data[0]?.current_period_end;
  expect(await portal.press("cancel")).toContain("Ends on");
  expect(await portal.now()).toMatchObject({
    status: "active",
    cancel_at: end,
    cancel_at_period_end: false,
    canceled_at: expect.any(Number),
    cancellation_details: { reason: "cancellation_requested" },
  });
  expect(await portal.press("keep")).toContain("Renews on");
  expect(await portal.now()).toMatchObject({
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  });
  expect(await portal.events()).toEqual([
    "customer.subscription.updated",
    "customer.subscription.updated",
  ]);
  const updates = await stripe.events.list({ type: "customer.subscription.updated", limit: 2 });
  expect(updates.data[1]?.data.previous_attributes).toMatchObject({ cancel_at: null });
  expect(updates.data[0]?.data.previous_attributes).toMatchObject({ cancel_at: end });
});
