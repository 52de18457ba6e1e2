import { beforeEach, expect, test } from "vitest";
import { skipWaits } from "../../support/clock";
import { unique } from "../../support/database/factories";
import { rows, untouched } from "../../support/database/rows";
import { answers, stored } from "../../support/expectations";
import { buyer } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control, sandboxRequests } from "../../support/sandbox";
import {
  deliver,
  eventOf,
  eventsOf,
  postEvent,
  type SentEvent,
  stripeApi,
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
  const bought = await buyer();
  return { ...bought, event: await eventOf(bought.customer, "invoice.paid") };
}

async function sign(payload: string, more: { timestamp?: number; secret?: string } = {}) {
  return (await control<{ header: string }>("stripeSign", { payload, ...more })).header;
}

/** An event with this content, correctly signed. */
async function signed(type: string, object: object): Promise<SentEvent> {
  const id = unique("evt");
  const payload = JSON.stringify({ id, object: "event", type, data: { object } });
  return { id, type, signed: { payload, header: await sign(payload) } };
}

function secondsAgo(seconds: number): number {
  return Math.floor(Date.now() / 1000) - seconds;
}

test("an event gets a 200 once the record and the event are written", async () => {
  const { belongsTo, user, event } = await paid();
  const response = await deliver(event);
  await belongsTo(user);
  expect(await rows("billingEvents")).toMatchObject([{ id: event.id }]);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
});

type Header = string | undefined;
test.each<[name: string, header: (payload: string) => Promise<Header> | Header]>([
  ["no signature", () => undefined],
  ["an empty signature", () => ""],
  ["a malformed signature", () => "signed, Stripe"],
  ["a forged signature", () => `t=${secondsAgo(0)},v1=${"0".repeat(64)}`],
  ["no timestamp", async (payload) => (await sign(payload)).replace(/^t=\d+,/, "")],
  [
    "another timestamp",
    async (payload) => (await sign(payload)).replace(/^t=\d+/, `t=${secondsAgo(1)}`),
  ],
  ["another scheme", async (payload) => (await sign(payload)).replace("v1=", "v0=")],
  ["another secret", (payload) => sign(payload, { secret: "whsec_other" })],
  ["an empty secret", (payload) => sign(payload, { secret: "" })],
  ["the signature of another body", (payload) => sign(`${payload} `)],
  ["a signature 301 seconds old", (payload) => sign(payload, { timestamp: secondsAgo(301) })],
  ["a signature a day old", (payload) => sign(payload, { timestamp: secondsAgo(86_400) })],
])("an event with %s is refused and changes nothing", async (_name, header) => {
  const { payload } = (await paid()).event.signed;
  await untouched(async () => {
    const response = await postEvent(payload, await header(payload));
    const refusal = { error: "The signature is not valid." };
    expect([response.status, await response.json()]).toEqual([400, refusal]);
  });
});

test("a body that was altered after it was signed is refused and changes nothing", async () => {
  const { event, customer } = await paid();
  const { payload, header } = event.signed;
  await untouched(async () => {
    for (const altered of [
      payload.replace(customer, "cus_somebodyElses"),
      payload.replace(event.id, "evt_other"),
      payload.slice(0, -1),
      `${payload}\n`,
    ]) {
      expect(altered).not.toBe(payload);
      await answers(postEvent(altered, header), 400);
    }
  });
});

test("a signature that is four minutes old, or one of several, is accepted", async () => {
  const { payload } = (await paid()).event.signed;
  const late = await sign(payload, { timestamp: secondsAgo(240) });
  const several = late.replace("v1=", `v1=${"0".repeat(64)},v1=`);
  for (const header of [late, several]) await answers(postEvent(payload, header), 200);
});

test.each(["", "not JSON", "null", "7", "[]", "{}", '{"id":"evt_1","type":"invoice.paid"}', "{"])(
  "a signed body that is not an event is refused: %j",
  async (payload) => {
    const header = await sign(payload);
    await untouched(async () => answers(postEvent(payload, header), 400));
  },
);

test("a body that is too large is refused without being read to its end", async () => {
  const payload = `{"large":"${"x".repeat(262_144)}"}`;
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 1000) controller.close();
      else controller.enqueue(new Uint8Array(4096));
    },
  });
  await untouched(async () => {
    await answers(postEvent(payload, await sign(payload)), 413, "That was too much at once.");
    await answers(postEvent(endless, "t=1,v1=1"), 413);
  });
  expect(sent).toBeLessThan(500);
});

test("an event of a type that does not matter is accepted and changes nothing", async () => {
  const { customer, user } = await paid();
  const others = (await eventsOf(customer)).filter(({ type }) => !relevant.includes(type));
  const object = { object: "subscription", id: "sub_1", customer };
  for (const type of ["payment_intent.succeeded", "customer.subscription", "", "something.new"]) {
    others.push(await signed(type, object));
  }
  expect(others.length).toBeGreaterThan(5);
  const asked = await sandboxRequests(user.id);
  await untouched(async () => {
    for (const event of others) {
      expect([event.type, (await deliver(event)).status]).toEqual([event.type, 200]);
    }
  });
  expect(await sandboxRequests(user.id)).toEqual(asked);
});

test.each(relevant)("an event of type %s updates the record", async (type) => {
  const { belongsTo, user, customer, checkoutId } = await paid();
  const object = type.startsWith("checkout")
    ? { object: "checkout.session", id: checkoutId, customer }
    : { object: "whatever it is", id: "x", customer };
  await answers(deliver(await signed(type, object)), 200);
  await belongsTo(user);
});

test("of an event only the customer's id is used; the rest is read from Stripe", async () => {
  const { is, cancels, customer, subscription } = await paid();
  await cancels();
  const object = { object: "subscription", id: subscription, customer, status: "active" };
  await deliver(await signed("customer.subscription.updated", object));
  await is("canceled");
});

test("an event may have the whole customer instead of the id", async () => {
  const { belongsTo, user, customer } = await paid();
  const whole = { id: customer, object: "customer" };
  await deliver(await signed("invoice.paid", { object: "invoice", id: "in_1", customer: whole }));
  await belongsTo(user);
});

test("an event may have no customer", async () => {
  const object = { object: "checkout.session", id: "cs_unknown", customer: null };
  const event = await signed("checkout.session.completed", object);
  await answers(deliver(event), 200);
  expect(await rows("subscriptions")).toEqual([]);
});

test("an event may be about a deleted customer, whose subscription has ended too", async () => {
  const { is, customer, event, tell } = await paid();
  await deliver(event);
  await stripeApi("DELETE", `/customers/${customer}`);
  await tell("customer.subscription.deleted");
  await is("canceled");
});

test("an event that is delivered twice is accepted twice and processed once", async () => {
  const { user, event } = await paid();
  await deliver(event);
  const asked = await sandboxRequests(user.id);
  await untouched(async () => answers(deliver(event), 200));
  expect(await sandboxRequests(user.id)).toEqual(asked);
});

test("an event that is delivered ten times at once is accepted each time and recorded once", async () => {
  const { belongsTo, user, event } = await paid();
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  await stored("billingEvents", { id: event.id });
  await belongsTo(user);
});

test.each([
  { type: "invoice.paid", route: "GET /v1/subscriptions", fault: { status: 429 } },
  {
    type: "checkout.session.completed",
    route: "GET /v1/checkout/sessions/:id",
    fault: { status: 0, times: 3 },
  },
])(
  "an event gets a 500 if $route fails at Stripe ($fault), and is processed when it comes again",
  async ({ type, route, fault }) => {
    const { belongsTo, user, customer, tell } = await paid();
    const event = await eventOf(customer, type);
    await control("fail", { musician: user.id, route, ...fault });
    await untouched(async () => {
      const failed = await deliver(event);
      const refusal = { error: "Send it again." };
      expect([failed.status, await failed.json()]).toEqual([500, refusal]);
    });
    await tell(type);
    await belongsTo(user);
  },
);

test("another site's page cannot post events, signed or not", async () => {
  const { payload, header } = (await paid()).event.signed;
  const headers = { "Stripe-Signature": header, Origin: "https://evil.example" };
  await untouched(async () => {
    const response = await request("/webhooks/stripe", { body: payload, headers });
    expect(response.status).toBe(403);
  });
});
