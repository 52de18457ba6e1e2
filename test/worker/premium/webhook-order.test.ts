import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BillingEvent } from "~/premium/billing";
import { handleEvent } from "~/premium/webhook.server";
import { insert, makeUser } from "../../support/database/factories";
import { db } from "../../support/database/rows";
import { stored } from "../../support/expectations";
import { noteQueued } from "../../support/mail-queue";
import { buyer } from "../../support/people/subscriber";
import { billed, stubBilling } from "../../support/stripe/billing-stub";
import { deliver, eventOf } from "../../support/stripe/stripe";

const types = [
  "checkout.session.completed",
  "customer.subscription.created",
  "invoice.payment_failed",
  "invoice.paid",
  "customer.subscription.deleted",
];
const orders = [
  [0, 1, 2, 3, 4],
  [4, 3, 2, 1, 0],
  [2, 0, 4, 1, 3],
  [3, 1, 4, 0, 2],
];

async function forgetAll(): Promise<void> {
  const tables = ["billing_events", "subscriptions"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
}

test.each([null, 0, 1, 2, 3, 4])(
  "a subscription's events, all delivered after it has ended, in whatever order and all twice, lead to the record that Stripe has, also if event %j is lost",
  async (lost) => {
    const { user, customer, record, ...bought } = await buyer();
    await bought.paymentFails();
    await bought.paysAfterAll();
    await bought.cancels("period_end");
    await bought.nextPeriod();
    const events = await Promise.all(types.map((type) => eventOf(customer, type)));
    const told = await bought.told();
    expect(told).toMatchObject({ status: "canceled", cancel_at: expect.any(Number) });
    for (const order of orders) {
      await forgetAll();
      // Where one is lost, the app does not know of the checkout either.
      if (lost === null) {
        const begun = { user_id: user.id, status: "none", tier: "free", updated_at: 1 };
        await insert("subscriptions", { ...begun, customer_id: customer }).run();
      }
      const sent = order.filter((at) => at !== lost).flatMap((at) => events[at] ?? []);
      for (const event of [...sent, ...sent]) {
        expect((await deliver(event)).status, event.type).toBe(200);
      }
      expect({ order, record: await record() }).toEqual({ order, record: told });
    }
  },
  60_000,
);

/** A subscription after each of five changes; each change has an event. */
const changes = [
  billed({ status: "incomplete" }),
  billed({ status: "active" }),
  billed({ status: "past_due" }),
  billed({ status: "active", cancelAt: 9_000 }),
  billed({ status: "canceled", cancelAt: 9_000 }),
];

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

test("late events leave the record as Stripe has it now, however late they come", async () => {
  const { id: userId } = await makeUser();
  const late = fc.asyncProperty(delays, fc.boolean(), async (delay, newestFirst) => {
    await forgetAll();
    const parts = { db, mailUnclaimedPayment: async () => {}, mailQueue: noteQueued() };
    for (const [now, change] of changes.entries()) {
      const billing = stubBilling({
        subscriptions: async () => [change],
        customer: async (id) => ({ id, userId, email: null }),
      });
      const due = [0, 1, 2, 3, 4].filter((number) => number + (delay[number] ?? 0) === now);
      for (const number of newestFirst ? due.reverse() : due) {
        // The clock stands still during one change, which is the worst case.
        const services = { ...parts, billing, now: () => now + 1 };
        await handleEvent(services, eventOfChange(number));
        const { status, cancelAt } = change;
        await stored("subscriptions", {
          ...{ userId, status, tier: "premium", subscriptionId: "sub_1", customerId: "cus_1" },
          ...{ startedAt: 2_000, cancelAt },
        });
      }
    }
  });
  await fc.assert(late, { seed: 1, numRuns: 60 });
});
