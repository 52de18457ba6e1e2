import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { BilledSubscription, BillingEvent } from "~/premium/billing";
import { handleEvent } from "~/premium/webhook.server";
import { insert, makeUser, type TestUser } from "../../support/database/factories";
import { noteQueued } from "../../support/mail-queue";
import { control } from "../../support/sandbox";
import { billed, stubBilling } from "../../support/stripe/billing-stub";
import {
  type Buyer,
  deliver,
  eventOf,
  makeBuyer,
  recordOf,
  type SentEvent,
  toldByStripe,
} from "../../support/stripe/stripe";

const orders = [
  [0, 1, 2, 3, 4],
  [4, 3, 2, 1, 0],
  [2, 0, 4, 1, 3],
  [3, 1, 4, 0, 2],
];

/** The events in some orders, without event `lost`. */
function ordersOf(events: SentEvent[], lost?: number): SentEvent[][] {
  return orders.map((order) => order.filter((at) => at !== lost).flatMap((at) => events[at] ?? []));
}

const minute = 60_000;

describe("a subscription's events, all delivered after it has ended,", () => {
  let buyer: Buyer;
  let events: SentEvent[];

  beforeEach(async () => {
    buyer = await makeBuyer(await makeUser());
    const { customer } = buyer;
    await control("stripeCard", { customer, card: "declined" });
    await control("stripePeriod", { customer });
    await control("stripeCard", { customer, card: "works" });
    await control("stripePayInvoice", { customer });
    await control("stripeCancel", { customer, at: "period_end" });
    await control("stripePeriod", { customer });
    events = [];
    for (const type of [
      "checkout.session.completed",
      "customer.subscription.created",
      "invoice.payment_failed",
      "invoice.paid",
      "customer.subscription.deleted",
    ]) {
      events.push(await eventOf(customer, type));
    }
  });

  /** Restores the database from before the first event; `known` is whether it has the checkout. */
  async function forget(known: boolean): Promise<void> {
    const times = { updated_at: 1 };
    const begun = { user_id: buyer.user.id, status: "none", tier: "free", ...times };
    await env.DB.batch([
      env.DB.prepare("DELETE FROM billing_events"),
      env.DB.prepare("DELETE FROM subscriptions"),
      ...(known ? [insert("subscriptions", { ...begun, customer_id: buyer.customer })] : []),
    ]);
  }

  async function expectTold(order: SentEvent[], told: unknown): Promise<void> {
    for (const event of order) {
      if ((await deliver(event)).status !== 200) throw new Error(`${event.type} was not taken`);
    }
    const types = order.map(({ type }) => type);
    expect({ types, record: await recordOf(buyer.user) }).toEqual({ types, record: told });
  }

  test(
    "lead to the record that Stripe has, in whatever order they come, and all of them twice",
    async () => {
      const told = await toldByStripe(buyer.customer);
      expect(told).toMatchObject({ status: "canceled", cancel_at: expect.any(Number) });
      for (const sent of ordersOf(events)) {
        await forget(true);
        await expectTold([...sent, ...sent], told);
      }
    },
    minute,
  );

  test.each([0, 1, 2, 3, 4])(
    "lead to the record that Stripe has, if event %i is lost and the checkout is unknown",
    async (lost) => {
      const told = await toldByStripe(buyer.customer);
      for (const sent of ordersOf(events, lost)) {
        await forget(false);
        await expectTold(sent, told);
      }
    },
    minute,
  );
});

describe("late events", () => {
  /** The subscription after each of five changes; each change has an event. */
  const changes = [
    billed({ status: "incomplete" }),
    billed({ status: "active" }),
    billed({ status: "past_due" }),
    billed({ status: "active", cancelAt: 9_000 }),
    billed({ status: "canceled", cancelAt: 9_000 }),
  ];
  const db = createDatabase(env.DB);

  function eventOfChange(number: number): BillingEvent {
    return {
      id: `evt_${number}`,
      type: "customer.subscription.updated",
      concernsSubscription: true,
      isPayment: false,
      customerId: "cus_1",
      checkoutSessionId: null,
    };
  }

  /** An event may come right after its change, or after any later one. */
  const delays = fc.tuple(...[4, 3, 2, 1, 0].map((max) => fc.nat({ max })));

  function expected({ status, cancelAt }: BilledSubscription) {
    return {
      status,
      tier: "premium",
      subscription_id: "sub_1",
      customer_id: "cus_1",
      started_at: 2_000,
      cancel_at: cancelAt,
    };
  }

  async function afterEach(user: TestUser, delay: number[], newestFirst: boolean): Promise<void> {
    await env.DB.batch([
      env.DB.prepare("DELETE FROM billing_events"),
      env.DB.prepare("DELETE FROM subscriptions"),
    ]);
    let time = 1;
    const parts = { mailUnclaimedPayment: async () => {}, mailQueue: noteQueued() };
    for (const [now, change] of changes.entries()) {
      const billing = stubBilling({
        subscriptions: async () => [change],
        customer: async (id) => ({ id, userId: user.id, email: null }),
      });
      const due = [0, 1, 2, 3, 4].filter((number) => number + (delay[number] ?? 0) === now);
      for (const number of newestFirst ? due.reverse() : due) {
        // The clock stands still during one change, which is the worst case.
        const services = { ...parts, db, billing, now: () => time };
        await handleEvent(services, eventOfChange(number));
        expect(await recordOf(user)).toEqual(expected(change));
      }
      time += 1;
    }
  }

  test("leave the record as Stripe has it now, however late they come", async () => {
    const user = await makeUser();
    const late = fc.asyncProperty(delays, fc.boolean(), (delay, newestFirst) =>
      afterEach(user, delay, newestFirst),
    );
    await fc.assert(late, { seed: 1, numRuns: 60 });
  });
});
