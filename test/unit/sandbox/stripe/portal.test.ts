/** The portal page of the Stripe stand-in, and the sandbox's own Stripe page. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { press, textOf } from "../rig.ts";
import { type StripeRig, startStripeRig } from "./rig.ts";

const RETURN_URL = "http://127.0.0.1:8787/";

let rig: StripeRig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startStripeRig();
  stripe = rig.stripe;
});
afterAll(() => rig.close());

/** A subscriber's portal, with functions for reading its page and pressing its buttons. */
async function visit() {
  const { customer, subscription } = await rig.subscriber();
  const seen = (await rig.eventTypes(customer.id)).length;
  const session = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: RETURN_URL,
    flow_data: { type: "payment_method_update" },
  });
  return {
    customer: customer.id,
    session,
    now: () => stripe.subscriptions.retrieve(subscription.id),
    events: () => rig.eventTypes(customer.id, seen),
    text: async () => await textOf(await fetch(session.url)),
    /** Presses a button and returns the text of the page that follows. */
    async press(command: string, fields: Record<string, string> = {}) {
      const url = `${session.url}/${command}`;
      const response = await press(url, { subscription: subscription.id, ...fields });
      expect(response.status).toBe(303);
      return await textOf(await fetch(new URL(response.headers.get("Location") ?? "", url)));
    },
  };
}

it("shows the subscription and a link back", async () => {
  const portal = await visit();
  expect(portal.session).toMatchObject({
    id: expect.stringMatching(/^bps_/),
    object: "billing_portal.session",
    customer: portal.customer,
    return_url: RETURN_URL,
    livemode: false,
  });
  const page = await (await fetch(portal.session.url)).text();
  expect(page).toContain(`href="${RETURN_URL}"`);
  expect(await portal.text()).toMatch(
    /Fivefold Premium \$2\.99 per month Active\. Renews on \w+ \d/,
  );
  expect(await portal.text()).not.toContain("open invoice");
  expect((await fetch(`${rig.sandbox.origin}/stripe/portal/bps_none`)).status).toBe(404);
});

it("cancels at the end of the period without the API's flag, and takes it back", async () => {
  const portal = await visit();
  const { end } = {
    end: (await portal.now()).items.data[0]?.current_period_end,
  };
  const shown = await portal.press("cancel");
  expect(shown).toContain("will be cancelled at the end of the period");
  expect(shown).toContain("Ends on");
  expect(shown).toContain("Don't cancel plan");
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
  // Pressing it again changes nothing and sends no event.
  await portal.press("keep");
  expect(await portal.events()).toEqual([
    "customer.subscription.updated",
    "customer.subscription.updated",
  ]);
  const updates = await stripe.events.list({ type: "customer.subscription.updated", limit: 2 });
  expect(updates.data[1]?.data.previous_attributes).toMatchObject({ cancel_at: null });
  expect(updates.data[0]?.data.previous_attributes).toMatchObject({ cancel_at: end });
});

it("cancels immediately, and only once", async () => {
  const portal = await visit();
  expect(await portal.press("end")).toContain("Cancelled. Ended on");
  expect((await portal.now()).status).toBe("canceled");
  expect(await portal.press("end")).toContain("This plan has ended.");
  expect(await portal.press("cancel")).toContain("This plan has ended.");
  expect(await portal.events()).toEqual(["customer.subscription.deleted"]);
});

it("pays an open invoice with a card that works", async () => {
  const portal = await visit();
  expect(await portal.press("card", { card: "declined" })).toContain("a card that is declined.");
  await rig.control("stripePeriod", { customer: portal.customer });
  expect(await portal.text()).toContain("Past due: the last payment failed");
  expect(await portal.text()).toContain("Pay the open invoice ($2.99)");
  expect(await portal.press("pay")).toContain("Your card was declined.");
  expect((await portal.now()).status).toBe("past_due");
  await portal.press("card", { card: "works" });
  expect(await portal.press("pay")).toContain("the invoice is paid");
  expect((await portal.now()).status).toBe("active");
  expect(await portal.text()).not.toContain("Pay the open invoice");
});

it("cannot change another customer's subscription", async () => {
  const [mine, other] = [await visit(), await visit()];
  const { id } = await other.now();
  const response = await press(`${mine.session.url}/end`, { subscription: id });
  expect(response.status).toBe(404);
  expect((await other.now()).status).toBe("active");
});

it("has a page where time can pass, linked from the front page", async () => {
  const { origin } = rig.sandbox;
  expect(await (await fetch(origin)).text()).toContain('href="/stripe"');
  const { customer, subscription } = await rig.subscriber("time@musicians.example");
  const open = await rig.checkout({ customer_email: "open@musicians.example" });
  const text = await textOf(await fetch(`${origin}/stripe`));
  expect(text).toContain("time@musicians.example");
  expect(text).toContain("Perry Premium");
  expect(text).toContain(open.id);
  const button = async (command: string) => {
    const url = `${origin}/stripe/subscriptions/${subscription.id}/${command}`;
    expect((await press(url)).headers.get("Location")).toBe("/stripe");
  };
  const status = async () => (await stripe.subscriptions.retrieve(subscription.id)).status;
  await button("fail-next");
  await button("end-period");
  expect(await status()).toBe("past_due");
  await button("end-period");
  expect(await status()).toBe("active");
  await stripe.subscriptions.cancel(subscription.id);
  const seen = (await rig.eventTypes(customer.id)).length;
  await button("end-period");
  expect(await rig.eventTypes(customer.id, seen)).toEqual([]);
});
