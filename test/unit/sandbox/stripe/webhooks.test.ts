/** The Stripe stand-in sends events: signed, at least once, and held back on request. */
import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Delivery, type StripeRig, startEndpoint, startStripeRig } from "./rig.ts";

const SECRET = "whsec_of_this_test";
const FIRST_EVENTS = [
  "customer.created",
  "customer.subscription.created",
  "invoice.created",
  "invoice.finalized",
  "customer.subscription.updated",
  "invoice.paid",
  "invoice.payment_succeeded",
];

let rig: StripeRig;
beforeAll(async () => {
  rig = await startStripeRig();
});
afterAll(() => rig.close());

/** An endpoint that gets all events from now on. */
async function endpoint(...statuses: number[]) {
  await rig.control("reset");
  const opened = await startEndpoint(...statuses);
  await rig.control("stripeWebhook", { url: opened.url, secret: SECRET });
  return opened;
}

function verified({ body, signature }: Delivery, secret = SECRET): Promise<Stripe.Event> {
  return rig.stripe.webhooks.constructEventAsync(body, signature, secret);
}

it("signs events, which have the object as it was at the time", async () => {
  const app = await endpoint();
  const { customer, subscription } = await rig.subscriber();
  await rig.control("stripeSettle");
  const events = await Promise.all(app.deliveries.map((delivery) => verified(delivery)));
  expect(events.map(({ type }) => type).sort()).toEqual([...FIRST_EVENTS].sort());
  expect(new Set(events.map(({ id }) => id)).size).toBe(FIRST_EVENTS.length);
  const of = <T extends Stripe.Event["type"]>(type: T) =>
    events.find((event): event is Extract<Stripe.Event, { type: T }> => event.type === type);
  expect(of("customer.created")).toMatchObject({
    object: "event",
    api_version: "2026-10-28.endive",
    livemode: false,
    pending_webhooks: 1,
    data: { object: { id: customer.id, object: "customer" } },
  });
  expect(of("customer.subscription.created")?.data.object).toMatchObject({
    id: subscription.id,
    status: "incomplete",
  });
  expect(of("customer.subscription.updated")?.data).toMatchObject({
    object: { status: "active" },
    previous_attributes: { status: "incomplete" },
  });
  expect(of("invoice.created")?.data.object.status).toBe("draft");
  expect(of("invoice.finalized")?.data.object.status).toBe("open");
  expect(of("invoice.paid")?.data.object).toMatchObject({
    status: "paid",
    parent: { subscription_details: { subscription: subscription.id } },
  });
  const [first] = app.deliveries as [Delivery];
  await expect(verified(first, "whsec_wrong")).rejects.toThrow();
  await expect(verified({ ...first, body: `${first.body} ` })).rejects.toThrow();
  app.close();
});

it("retries with the same event until the response is 2xx", async () => {
  const app = await endpoint(500);
  await rig.stripe.customers.create({ name: "A" });
  await vi.waitFor(() => expect(app.deliveries).toHaveLength(2), { timeout: 60_000 });
  const events = await Promise.all(app.deliveries.map((delivery) => verified(delivery)));
  expect(new Set(events.map(({ id }) => id)).size).toBe(1);
  await rig.control("stripeSettle");
  const { events: made } = await rig.control<{ events: object[] }>("stripeEvents");
  expect(made).toMatchObject([{ attempts: 2, delivery: "delivered" }]);
  app.close();
});

it("does not make calls wait for an endpoint that does not respond", async () => {
  const app = await endpoint(0);
  const customer = await rig.stripe.customers.create({ name: "A" });
  await vi.waitFor(() => expect(app.deliveries).toHaveLength(1), { timeout: 60_000 });
  expect(await rig.stripe.customers.retrieve(customer.id)).toEqual(customer);
  app.close();
});

it.each<[how: object, expected: string[]]>([
  [{}, FIRST_EVENTS],
  [{ order: "reverse" }, [...FIRST_EVENTS].reverse()],
  [{ twice: true }, FIRST_EVENTS.flatMap((type) => [type, type])],
  [
    { drop: ["invoice.paid", "customer.created"] },
    FIRST_EVENTS.filter((_, n) => n !== 0 && n !== 5),
  ],
  [
    { order: ["invoice.paid", "customer.subscription.updated"], drop: ["customer.created"] },
    [
      "invoice.paid",
      "customer.subscription.updated",
      "customer.subscription.created",
      "invoice.created",
      "invoice.finalized",
      "invoice.payment_succeeded",
    ],
  ],
])("holds events back and releases them: %j", async (how, expected) => {
  const app = await endpoint();
  await rig.control("stripeHold");
  await rig.subscriber();
  await rig.control("stripeSettle");
  expect(app.deliveries).toEqual([]);
  const { attempts } = await rig.control<{ attempts: object[] }>("stripeRelease", { ...how });
  expect(app.types()).toEqual(expected);
  expect(attempts).toMatchObject(expected.map((type) => ({ type, status: 200 })));
  // The hold is over.
  await rig.stripe.customers.create({ name: "B" });
  await rig.control("stripeSettle");
  expect(app.deliveries).toHaveLength(expected.length + 1);
  app.close();
});

it("holds back only one musician's events", async () => {
  const app = await endpoint();
  await rig.control("stripeHold", { musician: "mara-lind" });
  await rig.stripe.customers.create({ email: "mara-lind@musicians.example" });
  const other = await rig.stripe.customers.create({ email: "tobin-ashgrove@musicians.example" });
  await rig.control("stripeSettle");
  const bodies = app.deliveries.map(({ body }) => JSON.parse(body) as Stripe.Event);
  expect(bodies).toMatchObject([{ data: { object: { id: other.id } } }]);
  await rig.control("stripeRelease", { musician: "mara-lind" });
  expect(app.deliveries).toHaveLength(2);
  app.close();
});

it("returns signed events for posting, and signs any text", async () => {
  await rig.control("reset");
  const { customer } = await rig.subscriber();
  type Signed = { payload: string; header: string };
  const { events } = await rig.control<{ events: { id: string; signed: Signed }[] }>(
    "stripeEvents",
    { customer: customer.id },
  );
  expect(events).toMatchObject(FIRST_EVENTS.map((type) => ({ type, delivery: "nowhere" })));
  const secret = "whsec_sandbox_development_only";
  const { webhooks } = rig.stripe;
  for (const { id, signed } of events) {
    const event = await webhooks.constructEventAsync(signed.payload, signed.header, secret);
    expect(event.id).toBe(id);
    // It has the state at the time of the event.
    if (event.type === "customer.subscription.created") {
      expect(event.data.object.status).toBe("incomplete");
    }
  }
  const payload = '{"id":"evt_own"}';
  const sign = async (fields: object) =>
    String((await rig.control("stripeSign", { payload, ...fields })).header);
  const own = await sign({ secret: SECRET });
  expect((await webhooks.constructEventAsync(payload, own, SECRET)).id).toBe("evt_own");
  const old = await sign({ timestamp: Math.floor(Date.now() / 1000) - 301 });
  await expect(webhooks.constructEventAsync(payload, old, secret)).rejects.toThrow("tolerance");
});
