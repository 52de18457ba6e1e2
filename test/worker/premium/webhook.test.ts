import { beforeEach, describe, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import { makeUser, unique } from "../../support/database/factories";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import {
  deliver,
  eventOf,
  eventsOf,
  makeBuyer,
  postEvent,
  recordOf,
  type SentEvent,
  stripeApi,
  toldByStripe,
} from "../../support/stripe/stripe";

beforeEach(skipWaits);

const relevant = [
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.trial_will_end",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
];

/** A user who has paid, and the event about it, which is not delivered yet. */
async function paid() {
  const buyer = await makeBuyer(await makeUser());
  return { ...buyer, event: await eventOf(buyer.customer, "invoice.paid") };
}

async function sign(payload: string, more: { timestamp?: number; secret?: string } = {}) {
  return (await control<{ header: string }>("stripeSign", { payload, ...more })).header;
}

/** An event with this content, correctly signed. */
async function signed(event: Record<string, unknown>): Promise<SentEvent> {
  const id = unique("evt");
  const payload = JSON.stringify({ id, object: "event", ...event });
  const header = await sign(payload);
  return { id, type: String(event.type), signed: { payload, header } };
}

function recordedEvents(): Promise<unknown[]> {
  return rowsOf("SELECT id FROM billing_events ORDER BY id");
}

function secondsAgo(seconds: number): number {
  return Math.floor(Date.now() / 1000) - seconds;
}

test("an event gets a 200 once the record and the event are written", async () => {
  const { user, customer, event } = await paid();
  const response = await deliver(event);
  expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  expect(await recordedEvents()).toEqual([{ id: event.id }]);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
});

describe("an event without a valid signature changes nothing:", () => {
  const forged = "0".repeat(64);
  test.each<{ name: string; header(payload: string): Promise<string | undefined> }>([
    { name: "no signature", header: async () => undefined },
    { name: "an empty one", header: async () => "" },
    { name: "a malformed one", header: async () => "signed, Stripe" },
    { name: "a forged one", header: async () => `t=${secondsAgo(0)},v1=${forged}` },
    {
      name: "one without a timestamp",
      header: async (payload) => (await sign(payload)).replace(/^t=\d+,/, ""),
    },
    {
      name: "one with another timestamp",
      header: async (payload) => (await sign(payload)).replace(/^t=\d+/, `t=${secondsAgo(1)}`),
    },
    {
      name: "one of another scheme",
      header: async (payload) => (await sign(payload)).replace("v1=", "v0="),
    },
    {
      name: "one made with another secret",
      header: (payload) => sign(payload, { secret: "whsec_other" }),
    },
    { name: "one made with an empty secret", header: (payload) => sign(payload, { secret: "" }) },
    { name: "that of another body", header: (payload) => sign(`${payload} `) },
    {
      name: "one 301 seconds old",
      header: (payload) => sign(payload, { timestamp: secondsAgo(301) }),
    },
    {
      name: "one a day old",
      header: (payload) => sign(payload, { timestamp: secondsAgo(86_400) }),
    },
  ])("$name", async ({ header }) => {
    const { event } = await paid();
    const before = await contents();
    const { payload } = event.signed;
    const response = await postEvent(payload, await header(payload));
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "The signature is not valid." },
    ]);
    expect(await contents()).toEqual(before);
  });

  test("a body that was altered after it was signed", async () => {
    const { event, customer } = await paid();
    const before = await contents();
    const { payload, header } = event.signed;
    for (const altered of [
      payload.replace(customer, "cus_somebodyElses"),
      payload.replace(event.id, "evt_other"),
      payload.slice(0, -1),
      `${payload}\n`,
    ]) {
      expect(altered).not.toBe(payload);
      expect((await postEvent(altered, header)).status).toBe(400);
    }
    expect(await contents()).toEqual(before);
  });
});

test("a signature that is four minutes old, or one of several, is accepted", async () => {
  const { event } = await paid();
  const { payload } = event.signed;
  const late = await sign(payload, { timestamp: secondsAgo(240) });
  const several = late.replace("v1=", `v1=${"0".repeat(64)},v1=`);
  for (const header of [late, several]) expect((await postEvent(payload, header)).status).toBe(200);
});

describe("a signed body", () => {
  test.each(["", "not JSON", "null", "7", "[]", "{}", '{"id":"evt_1","type":"invoice.paid"}', "{"])(
    "that is not an event is refused: %j",
    async (payload) => {
      const before = await contents();
      expect((await postEvent(payload, await sign(payload))).status).toBe(400);
      expect(await contents()).toEqual(before);
    },
  );

  test("that is too large is refused without being read to its end", async () => {
    const before = await contents();
    const payload = `{"large":"${"x".repeat(262_144)}"}`;
    const response = await postEvent(payload, await sign(payload));
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: expect.stringContaining("The request is too large.") },
    ]);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 1000) controller.close();
        else controller.enqueue(new Uint8Array(4096));
      },
    });
    expect((await postEvent(endless, "t=1,v1=1")).status).toBe(413);
    expect(sent).toBeLessThan(500);
    expect(await contents()).toEqual(before);
  });
});

describe("an event", () => {
  test("of a type that does not matter is accepted and changes nothing", async () => {
    const { customer, user } = await paid();
    const before = await contents();
    const others = (await eventsOf(customer)).filter(({ type }) => !relevant.includes(type));
    const object = { object: "subscription", id: "sub_1", customer };
    for (const type of ["payment_intent.succeeded", "customer.subscription", "", "something.new"]) {
      others.push(await signed({ type, data: { object } }));
    }
    expect(others.length).toBeGreaterThan(5);
    const asked = await sandboxRequests(user.id);
    for (const event of others) {
      expect([event.type, (await deliver(event)).status]).toEqual([event.type, 200]);
    }
    expect(await contents()).toEqual(before);
    expect(await sandboxRequests(user.id)).toEqual(asked);
  });

  test.each(relevant)("of type %s updates the record", async (type) => {
    const { user, customer, checkoutId } = await paid();
    const object = type.startsWith("checkout")
      ? { object: "checkout.session", id: checkoutId, customer }
      : { object: "whatever it is", id: "x", customer };
    expect((await deliver(await signed({ type, data: { object } }))).status).toBe(200);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });
});

describe("the content of an event", () => {
  test("is only used for the customer's id; the rest is read from Stripe", async () => {
    const { user, customer, subscription } = await paid();
    await control("stripeCancel", { customer, at: "now" });
    const object = { object: "subscription", id: subscription, customer, status: "active" };
    await deliver(await signed({ type: "customer.subscription.updated", data: { object } }));
    expect(await recordOf(user)).toMatchObject({ status: "canceled" });
  });

  test("may have the whole customer instead of the id", async () => {
    const { user, customer } = await paid();
    const object = {
      object: "invoice",
      id: "in_1",
      customer: { id: customer, object: "customer" },
    };
    await deliver(await signed({ type: "invoice.paid", data: { object } }));
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("may have no customer", async () => {
    const before = await contents("users", "subscriptions");
    const object = { object: "checkout.session", id: "cs_unknown", customer: null };
    const event = await signed({ type: "checkout.session.completed", data: { object } });
    expect((await deliver(event)).status).toBe(200);
    expect(await contents("users", "subscriptions")).toEqual(before);
  });

  test("may be about a deleted customer, whose subscription has ended too", async () => {
    const { user, customer, event } = await paid();
    await deliver(event);
    await stripeApi("DELETE", `/customers/${customer}`);
    await deliver(await eventOf(customer, "customer.subscription.deleted"));
    expect(await recordOf(user)).toMatchObject({ status: "canceled" });
  });
});

describe("an event that is delivered", () => {
  test("twice is accepted twice and processed once", async () => {
    const { user, event } = await paid();
    await deliver(event);
    const [before, asked] = [await contents(), await sandboxRequests(user.id)];
    expect((await deliver(event)).status).toBe(200);
    expect(await contents()).toEqual(before);
    expect(await sandboxRequests(user.id)).toEqual(asked);
  });

  test("ten times at once is accepted each time and recorded once", async () => {
    const { user, customer, event } = await paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await recordedEvents()).toEqual([{ id: event.id }]);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });
});

describe("an event whose processing fails gets a 500, and is processed when it comes again:", () => {
  test.each([
    { type: "invoice.paid", route: "GET /v1/subscriptions", fault: { status: 500, times: 3 } },
    { type: "invoice.paid", route: "GET /v1/subscriptions", fault: { status: 429 } },
    {
      type: "invoice.paid",
      route: "GET /v1/subscriptions",
      fault: { status: 200, body: "<html>", contentType: "text/html" },
    },
    {
      type: "checkout.session.completed",
      route: "GET /v1/checkout/sessions/:id",
      fault: { status: 0, times: 3 },
    },
  ])("if $route fails at Stripe ($fault)", async ({ type, route, fault }) => {
    const { user, customer } = await paid();
    const event = await eventOf(customer, type);
    const before = await contents();
    await control("fail", { musician: user.id, route, ...fault });
    const failed = await deliver(event);
    expect([failed.status, await failed.json()]).toEqual([500, { error: "Please send it again." }]);
    expect(await contents()).toEqual(before);
    expect((await deliver(event)).status).toBe(200);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test.each([
    { write: "INSERT", table: "billing_events" },
    { write: "UPDATE", table: "subscriptions" },
  ] as const)("if the database refuses the $write of $table", async (broken) => {
    const { user, customer, event } = await paid();
    const before = await contents();
    await whileWritesFail(broken.write, broken.table, async () => {
      expect((await deliver(event)).status).toBe(500);
    });
    expect(await contents()).toEqual(before);
    expect((await deliver(event)).status).toBe(200);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    expect(await recordedEvents()).toEqual([{ id: event.id }]);
  });
});

test("another site's page cannot post events, signed or not", async () => {
  const { event } = await paid();
  const before = await contents();
  const { payload, header } = event.signed;
  const headers = { "Stripe-Signature": header, Origin: "https://evil.example" };
  const response = await request("/webhooks/stripe", { body: payload, headers });
  expect(response.status).toBe(403);
  expect(await contents()).toEqual(before);
});
