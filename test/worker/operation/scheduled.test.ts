import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { BillingError } from "~/premium/billing";
import { syncDueSubscriptions } from "~/premium/daily-sync.server";
import { contents, rowsOf } from "../../support/database/contents";
import { insert, makeUser } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { noteQueued } from "../../support/mail-queue";
import { control } from "../../support/sandbox";
import { billed, stubBilling } from "../../support/stripe/billing-stub";
import { makeBuyer, recordOf, toldByStripe } from "../../support/stripe/stripe";
import { daily, runJobs } from "../../support/worker";

const db = createDatabase(env.DB);
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 5, 1);

function run(): Promise<void> {
  return runJobs(daily);
}

/** A new user's subscription row, last synced this many days ago. */
async function makeRow(
  customerId: string | null,
  { status = "active", syncedDays = 1, changedDays = 90 } = {},
): Promise<void> {
  const { id } = await makeUser();
  await insert("subscriptions", {
    user_id: id,
    status,
    tier: status === "none" ? "free" : "premium",
    subscription_id: status === "none" ? null : "sub_1",
    customer_id: customerId,
    updated_at: now - changedDays * day,
    synced_at: now - syncedDays * day,
  }).run();
}

/** A fake Stripe that records the customers asked about; `failing` has the error statuses of some. */
function watched(failing: Record<string, number> = {}) {
  const asked: string[] = [];
  const billing = stubBilling({
    async subscriptions(customerId) {
      asked.push(customerId);
      const status = failing[customerId];
      if (status !== undefined) throw new BillingError(status, "an ordered fault");
      return [billed()];
    },
    customer: async (id) => ({ id, userId: null, email: null }),
  });
  const sweep = (at = now) =>
    syncDueSubscriptions({ db, billing, mailQueue: noteQueued(), now: () => at });
  return { asked, sweep };
}

test("the daily run catches up with every customer's missed webhooks, also after one that Stripe fails to return", async () => {
  const [paid, failed, over, broken] = [
    await makeBuyer(await makeUser()),
    await makeBuyer(await makeUser()),
    await makeBuyer(await makeUser()),
    await makeBuyer(await makeUser()),
  ];
  await control("stripeCard", { customer: failed.customer, card: "declined" });
  await control("stripePeriod", { customer: failed.customer });
  const fault = { route: "GET /v1/subscriptions", status: 400 };
  await control("fail", { musician: broken.user.id, ...fault });
  await run();
  expect(await recordOf(broken.user)).toMatchObject({ status: "none" });
  expect(await recordOf(paid.user)).toEqual(await toldByStripe(paid.customer));
  await control("stripeCancel", { customer: over.customer, at: "now" });
  await run();
  for (const { user, customer } of [paid, failed, over, broken]) {
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  }
  expect(await recordOf(over.user)).toMatchObject({ status: "canceled" });
});

test("the daily run changes nothing but the time of the sync if nothing is different at Stripe", async () => {
  await run();
  expect(await rowsOf("SELECT * FROM subscriptions")).toEqual([]);
  const { user } = await makeBuyer(await makeUser());
  await run();
  const now = async () => [await contents("users", "sessions"), await recordOf(user)];
  const before = await now();
  await run();
  expect(await now()).toEqual(before);
});

test("a run syncs 200 customers at most, those first whose last sync is longest ago", async () => {
  const statements = [];
  const order: { userId: string; syncedAt: number }[] = [];
  for (let n = 0; n < 203; n += 1) {
    const user = { id: `u${n}`, spotify_id: `s${n}`, display_name: "A musician" };
    statements.push(insert("users", { ...user, created_at: 1, updated_at: 1 }));
    const row = { user_id: user.id, status: "active", tier: "premium", subscription_id: "sub_1" };
    // In another order than that of the table, three at a time.
    const times = { updated_at: 1, synced_at: Math.floor(((n * 5) % 203) / 3) };
    statements.push(insert("subscriptions", { ...row, ...times, customer_id: user.id }));
    order.push({ userId: user.id, syncedAt: times.synced_at });
  }
  order.sort((a, b) => a.syncedAt - b.syncedAt || (a.userId < b.userId ? -1 : 1));
  const customers = order.map(({ userId }) => userId);
  await env.DB.batch(statements);
  const { asked, sweep } = watched();
  expect(await sweep()).toEqual({ synced: 200, failed: 0 });
  expect(asked).toEqual(customers.slice(0, 200));
  asked.length = 0;
  await sweep(now + day);
  expect(asked.slice(0, 3)).toEqual(customers.slice(200));
  expect(asked).toHaveLength(200);
});

test("a run syncs customers who may have premium or began a checkout lately, and nobody else", async () => {
  exemptFromInvariants("premium has a customer and a subscription");
  await makeRow("active", { syncedDays: 9 });
  await makeRow("past_due", { status: "past_due", syncedDays: 8 });
  await makeRow("unpaid", { status: "unpaid", syncedDays: 7 });
  await makeRow("begun", { status: "none", syncedDays: 6, changedDays: 1 });
  await makeRow("again", { status: "canceled", syncedDays: 5, changedDays: 1 });
  await makeRow("begun long ago", { status: "none", changedDays: 3 });
  await makeRow("over", { status: "canceled" });
  await makeRow("never began", { status: "incomplete_expired" });
  await makeRow(null);
  const { asked, sweep } = watched();
  expect(await sweep()).toEqual({ synced: 5, failed: 0 });
  expect(asked).toEqual(["active", "past_due", "unpaid", "begun", "again"]);
});

async function order(): Promise<unknown[]> {
  return rowsOf("SELECT customer_id FROM subscriptions ORDER BY synced_at, customer_id");
}

test("a customer that Stripe refuses goes to the end of the queue", async () => {
  await makeRow("refused", { syncedDays: 9 });
  await makeRow("fine", { syncedDays: 8 });
  const { sweep } = watched({ refused: 404 });
  expect(await sweep()).toEqual({ synced: 1, failed: 1 });
  await makeRow("newcomer", { syncedDays: 1 });
  expect((await order())[0]).toEqual({ customer_id: "newcomer" });
  expect(await rowsOf("SELECT status FROM subscriptions")).toEqual(
    Array(3).fill({ status: "active" }),
  );
});

test("an outage ends the run, and all customers keep their places in the queue", async () => {
  for (let n = 0; n < 30; n += 1) await makeRow(`c${n}`, { syncedDays: 90 - n });
  const before = await contents();
  const down = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`c${n}`, 503]));
  const { asked, sweep } = watched(down);
  await expect(sweep()).rejects.toThrow("No customer could be read.");
  expect(asked.length).toBeGreaterThanOrEqual(5);
  expect(asked.length).toBeLessThan(15);
  expect(await contents()).toEqual(before);
});

test("a server error for one customer does not stop the others", async () => {
  for (let n = 0; n < 12; n += 1) await makeRow(`c${n}`, { syncedDays: 90 - n });
  const { sweep } = watched({ c3: 500 });
  expect(await sweep()).toEqual({ synced: 11, failed: 1 });
  expect((await order())[0]).toEqual({ customer_id: "c3" });
});
