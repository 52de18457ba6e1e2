import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "~/db/client.server";
import type { BilledSubscription } from "~/premium/billing";
import { syncCustomer } from "~/premium/sync.server";
import { makeUser, type TestUser } from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import { stored } from "../../support/expectations";
import { noteQueued } from "../../support/mail-queue";
import { billed, stubBilling } from "../../support/stripe/billing-stub";

/** Syncs the customer of a user for whom Stripe, asked by a clock, has these subscriptions. */
async function makeSync({ user, database = db }: { user?: TestUser; database?: Database } = {}) {
  const { id: userId } = user ?? (await makeUser());
  return (
    now: () => number,
    subscriptions: () => BilledSubscription[] | Promise<BilledSubscription[]>,
  ) => {
    const billing = stubBilling({
      subscriptions: async () => subscriptions(),
      customer: async (id) => ({ id, userId, email: null }),
    });
    return syncCustomer({ db: database, billing, mailQueue: noteQueued(), now }, "cus_1");
  };
}

test("of two syncs in order the later one wins, even within a millisecond", async () => {
  const sync = await makeSync();
  for (const status of ["active", "canceled"])
    await sync(
      () => 1_000,
      () => [billed({ status })],
    );
  await stored("subscriptions", { status: "canceled" });
});

test("the later of two syncs is the one that asked later, not the one that got its response later", async () => {
  const sync = await makeSync();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  let time = 1_000;
  const first = sync(
    () => time,
    async () => {
      await opened;
      return [billed({ status: "past_due" })];
    },
  );
  time = 5_000;
  open();
  await first;
  await sync(
    () => 3_000,
    () => [billed({ status: "active" })],
  );
  await stored("subscriptions", { status: "active" });
});

test("the last change wins, however many syncs overlap and in whatever order they end", async () => {
  const sync = await makeSync();
  const statuses = fc.array(fc.constantFrom("active", "past_due", "canceled", "unpaid"), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(statuses, fc.scheduler(), async (changes, scheduler) => {
      await env.DB.prepare("DELETE FROM subscriptions").run();
      const readings = changes.map((status, at) =>
        sync(
          () => at + 1,
          () => scheduler.schedule(Promise.resolve([billed({ status })])),
        ),
      );
      await scheduler.waitFor(Promise.all(readings));
      await stored("subscriptions", { status: changes.at(-1) });
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
  const sync = await makeSync({ user, database: amid });
  await sync(
    () => 2_000,
    () => [told],
  );
  return (await rows("outbox")).map(({ kind }) => kind).sort();
}

test.each([
  { at: 1_999, told: "past_due", mails: ["past_due", "premium_welcome"] },
  { at: 2_000, told: "active", mails: ["premium_welcome"] },
])(
  "a record that changes at $at, before a reading of 2000 is written, has its mail decided again",
  async (race) => {
    const user = await makeUser();
    const elsewhere = await makeSync({ user });
    const earlier = () =>
      elsewhere(
        () => race.at,
        () => [billed()],
      );
    expect(await syncAmid(user, billed({ status: race.told }), earlier)).toEqual(race.mails);
    await stored("subscriptions", { status: race.told });
  },
);

test("a record that changes each time it is read ends in an error, and stays as it is", async () => {
  const user = await makeUser();
  await (await makeSync({ user }))(
    () => 1_000,
    () => [billed()],
  );
  let batches = 0;
  const restless = createDatabase({
    prepare: (statement) => env.DB.prepare(statement),
    async batch<T>(statements: D1PreparedStatement[]) {
      batches += 1;
      if (batches % 2 === 0) await change("subscriptions", {}, { syncedAt: 1_000 + batches });
      return env.DB.batch<T>(statements);
    },
  });
  const syncing = (await makeSync({ user, database: restless }))(
    () => 2_000,
    () => [billed({ status: "canceled" })],
  );
  await expect(syncing).rejects.toThrow("changes while it is written");
  expect(batches).toBeLessThan(50);
  await stored("subscriptions", { status: "active" });
});

test("the customer of an account that is deleted in between is nobody's", async () => {
  const user = await makeUser();
  const remove = () => env.DB.prepare("DELETE FROM users WHERE id = ?").bind(user.id).run();
  expect(await syncAmid(user, billed(), remove)).toEqual([]);
  expect(await rows("subscriptions")).toEqual([]);
});

test("of a customer's two live subscriptions, the one that gives premium is recorded", async () => {
  const both = [
    billed({ id: "sub_new", status: "unpaid", createdAt: 9_000 }),
    billed({ id: "sub_old", status: "past_due", createdAt: 1_000 }),
  ];
  await (await makeSync())(
    () => 1_000,
    () => both,
  );
  const recorded = { status: "past_due", subscriptionId: "sub_old" };
  await stored("subscriptions", recorded);
});

test("a customer with a subscription to another product leaves the user free", async () => {
  await (await makeSync())(
    () => 1_000,
    () => [billed({ productIds: ["prod_other"] })],
  );
  await stored("subscriptions", { status: "none", tier: "free" });
});
