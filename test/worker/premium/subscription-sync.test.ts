import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { BilledSubscription } from "~/premium/billing";
import type { Billing } from "~/premium/stripe.server";
import { syncCustomer } from "~/premium/sync.server";
import { rowsOf } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { noteQueued } from "../../support/mail-queue";
import { billed, stubBilling } from "../../support/stripe/billing-stub";
import { recordOf } from "../../support/stripe/stripe";

const db = createDatabase(env.DB);

/** A fake Stripe that always returns the subscriptions `says.now`, without delay. */
function stripeOf(user: TestUser, says: { now: BilledSubscription[] }): Billing {
  return stubBilling({
    subscriptions: async () => says.now,
    customer: async (id) => ({ id, userId: user.id, email: null }),
  });
}

/** A promise that resolves when `open` is called. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Syncs the customer `cus_1`, with a clock. */
function syncAt(billing: Billing, now: () => number) {
  return syncCustomer({ db, billing, mailQueue: noteQueued(), now }, "cus_1");
}

describe("of two overlapping syncs", () => {
  test.each([
    { older: "active", newer: "canceled" },
    { older: "canceled", newer: "active" },
    { older: "past_due", newer: "active" },
  ])(
    "the earlier one ($older) does not overwrite the later one ($newer) by ending last",
    async (row) => {
      const user = await makeUser();
      const { open, opened } = gate();
      const slow = stubBilling({
        async subscriptions() {
          await opened;
          return [billed({ status: row.older })];
        },
        customer: async (id) => ({ id, userId: user.id, email: null }),
      });
      const first = syncAt(slow, () => 1_000);
      const quick = stripeOf(user, { now: [billed({ status: row.newer })] });
      await syncAt(quick, () => 1_001);
      open();
      await first;
      expect(await recordOf(user)).toMatchObject({ status: row.newer });
    },
  );

  test("the later one wins if they end in order, even within a millisecond", async () => {
    const user = await makeUser();
    const says = { now: [billed({ status: "active" })] };
    await syncAt(stripeOf(user, says), () => 1_000);
    says.now = [billed({ status: "canceled" })];
    await syncAt(stripeOf(user, says), () => 1_000);
    expect(await recordOf(user)).toMatchObject({ status: "canceled" });
  });

  test("the later one is the one that asked later, not the one that got its response later", async () => {
    const user = await makeUser();
    const { open, opened } = gate();
    let time = 1_000;
    const slow = stubBilling({
      async subscriptions() {
        await opened;
        return [billed({ status: "past_due" })];
      },
      customer: async (id) => ({ id, userId: user.id, email: null }),
    });
    const first = syncAt(slow, () => time);
    time = 5_000;
    open();
    await first;
    const next = stripeOf(user, { now: [billed({ status: "active" })] });
    await syncAt(next, () => 3_000);
    expect(await recordOf(user)).toMatchObject({ status: "active" });
  });
});

test("the last change wins, however many syncs overlap and in whatever order they end", async () => {
  const user = await makeUser();
  const statuses = fc.array(fc.constantFrom("active", "past_due", "canceled", "unpaid"), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(statuses, fc.scheduler(), async (changes, scheduler) => {
      await env.DB.prepare("DELETE FROM subscriptions").run();
      let time = 0;
      const readings = changes.map((status) => {
        time += 1;
        const says = [billed({ status })];
        const billing = stubBilling({
          subscriptions: () => scheduler.schedule(Promise.resolve(says)),
          customer: async (id) => ({ id, userId: user.id, email: null }),
        });
        const askedAt = time;
        return syncAt(billing, () => askedAt);
      });
      await scheduler.waitFor(Promise.all(readings));
      expect(await recordOf(user)).toMatchObject({ status: changes.at(-1) });
    }),
    { numRuns: 60 },
  );
});

/** Syncs, while something happens between its first reading of the record and its first writing. */
async function syncAmid(user: TestUser, told: BilledSubscription, happens: () => Promise<unknown>) {
  let batches = 0;
  const amid = createDatabase({
    prepare: (statement) => env.DB.prepare(statement),
    async batch<T>(statements: D1PreparedStatement[]) {
      batches += 1;
      if (batches === 2) await happens();
      return env.DB.batch<T>(statements);
    },
  });
  const services = { billing: stripeOf(user, { now: [told] }), mailQueue: noteQueued() };
  await syncCustomer({ ...services, db: amid, now: () => 2_000 }, "cus_1");
  const kinds = await rowsOf("SELECT kind FROM outbox ORDER BY created_at, rowid");
  return kinds.map((row) => (row as { kind: string }).kind);
}

test("a record that changes before a reading is written has its mail decided again", async () => {
  const user = await makeUser();
  const elsewhere = stripeOf(user, { now: [billed()] });
  const kinds = await syncAmid(user, billed({ status: "past_due" }), () =>
    syncAt(elsewhere, () => 1_999),
  );
  expect(kinds).toEqual(["premium_welcome", "past_due"]);
  expect(await recordOf(user)).toMatchObject({ status: "past_due" });
});

test("two syncs that ask in the same millisecond owe one mail of one change", async () => {
  const user = await makeUser();
  const elsewhere = stripeOf(user, { now: [billed()] });
  const kinds = await syncAmid(user, billed(), () => syncAt(elsewhere, () => 2_000));
  expect(kinds).toEqual(["premium_welcome"]);
});

test("the customer of an account that is deleted in between is nobody's", async () => {
  const user = await makeUser();
  const remove = () => env.DB.prepare("DELETE FROM users WHERE id = ?").bind(user.id).run();
  expect(await syncAmid(user, billed(), remove)).toEqual([]);
  expect(await rowsOf("SELECT user_id FROM subscriptions")).toEqual([]);
});

test("of a customer's two live subscriptions, the one that gives premium is recorded", async () => {
  const user = await makeUser();
  const both = [
    billed({ id: "sub_new", status: "unpaid", createdAt: 9_000 }),
    billed({ id: "sub_old", status: "past_due", createdAt: 1_000 }),
  ];
  await syncAt(stripeOf(user, { now: both }), () => 1_000);
  expect(await recordOf(user)).toMatchObject({ status: "past_due", subscription_id: "sub_old" });
});

test("a customer with a subscription to another product leaves the user free", async () => {
  const user = await makeUser();
  const foreign = [billed({ productIds: ["prod_other"] })];
  await syncAt(stripeOf(user, { now: foreign }), () => 1_000);
  expect(await recordOf(user)).toMatchObject({ status: "none", tier: "free" });
});
