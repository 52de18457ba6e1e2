/** The Stripe stand-in keeps what the product's tests rely on: idempotency keys, webhooks, demo subscribers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { seedSql } from "../../sandbox/seed.ts";
import { SECRET_KEY, WEBHOOK_SECRET } from "../../sandbox/stripe/state.ts";
import { migratedDatabase } from "../migrated-database.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let stripe: Stripe;
beforeAll(async () => {
  rig = await startRig();
  stripe = sdkOf(rig);
});
afterAll(() => rig.close());

function sdkOf({ sandbox: { port } }: Rig): Stripe {
  return new Stripe(SECRET_KEY, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    maxNetworkRetries: 0,
  });
}

function create(user_id: string, idempotencyKey: string) {
  return stripe.customers.create({ metadata: { user_id } }, { idempotencyKey });
}

test("a repeated call gets the same answer, and a key that was used for another is refused", async () => {
  const first = await create("replay", "once");
  expect(await create("replay", "once")).toEqual(first);
  const other = create("other", "once");
  await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  await create("replay", "twice");
  const { customers } = await rig.control("stripeState", { userId: "replay" });
  expect(customers).toHaveLength(2);
});

test.each([
  ["turned away", 429, 200],
  ["carried out", 500, 500],
])("a call that failed and was %s (%i) is answered with %i again", async (_, status, then) => {
  const musician = `failed-${status}`;
  await rig.control("fail", { route: "POST /v1/customers", musician, status });
  const call = () => create(musician, musician).catch((error) => error);
  expect(await call()).toMatchObject({ statusCode: status });
  expect((await call()).statusCode ?? 200).toBe(then);
});

test("events are signed, and sent again until the answer is 2xx", async () => {
  const events: Promise<Stripe.Event>[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const signature = String(request.headers["stripe-signature"]);
    response.writeHead(events.length === 0 ? 500 : 200).end();
    events.push(stripe.webhooks.constructEventAsync(body, signature, WEBHOOK_SECRET));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const appOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = await startRig({ appOrigin });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await own.close();
  });
  await own.control("stripeSubscribe", { email: "somebody@musicians.example" });
  await vi.waitFor(() => expect(events).toHaveLength(6), { timeout: 60_000 });
  const sent = await Promise.all(events);
  expect([...new Set(sent.map(({ type }) => type))].sort()).toEqual([
    ...["customer.subscription.created", "customer.subscription.updated"],
    ...["invoice.created", "invoice.finalized", "invoice.paid"],
  ]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(5);
});

test.each(["active", "past_due"])(
  "the demo subscriber who is %s is the same as in the database",
  async (status) => {
    const now = Date.now();
    const db = migratedDatabase();
    db.exec(seedSql("http://127.0.0.1:8788", now));
    const row = db
      .prepare("SELECT * FROM subscriptions JOIN users ON users.id = user_id WHERE status = ?")
      .get(status);
    const customer = String(row?.customer_id);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      email: row?.email,
      metadata: { user_id: row?.user_id },
    });
    const expand = ["data.latest_invoice"];
    const { data } = await stripe.subscriptions.list({ customer, status: "all", expand });
    expect(data).toMatchObject([
      {
        id: row?.subscription_id,
        status,
        cancel_at: row?.cancel_at,
        latest_invoice: { status: status === "active" ? "paid" : "open" },
        items: {
          data: [{ current_period_end: expect.closeTo(Number(row?.renews_at) / 1000, -2) }],
        },
      },
    ]);
  },
);
