import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { BilledSubscription } from "~/premium/billing";
import { syncCustomer } from "~/premium/sync.server";
import { baseTime, insert, makeUser, type TestUser } from "../../support/database/factories";
import { change, db, rows } from "../../support/database/rows";
import { stored } from "../../support/expectations";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliverAll, mailsTo } from "../../support/mails";
import { buyer, subscriber } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { billed, statuses, stubBilling } from "../../support/stripe/billing-stub";
import { deliver, eventsOf } from "../../support/stripe/stripe";

const welcome = "premium_welcome";
const cancelled = "premium_cancelled";
const ended = "premium_ended";

/** The kinds of mails owed to somebody, oldest first. */
async function kinds({ id: userId }: { id?: string } = {}): Promise<string[]> {
  const owed = await rows("outbox", userId ? { userId } : {});
  return owed.sort((a, b) => a.createdAt - b.createdAt).map(({ kind }) => kind);
}

async function owes(...expected: string[]): Promise<void> {
  expect(await kinds()).toEqual(expected);
}

/** Sends all owed mails. @returns the subjects of those in a user's mailbox. */
async function sendAll(user: TestUser): Promise<string[]> {
  await deliverAll();
  return (await mailsTo(addressOf(user))).map(({ subject }) => subject);
}

function opens({ checkoutId, cookie }: Awaited<ReturnType<typeof buyer>>) {
  return request(`/subscription-success?session_id=${checkoutId}`, { cookie });
}

/** Syncs a user's customer, for whom Stripe returns this subscription. */
async function syncAs(
  { id: userId }: TestUser,
  told: Partial<BilledSubscription> = {},
  { at = baseTime, customer = `cus_${userId}` } = {},
): Promise<void> {
  const billing = stubBilling({
    subscriptions: async () => [billed(told)],
    customer: async (id) => ({ id, userId, email: null }),
  });
  const services = { db, billing, mailQueue: noteQueued(), now: () => at };
  await syncCustomer(services, customer, { userId });
}

/** Syncs one state after the other. @returns the kinds of mails that are owed then. */
async function syncAll(user: TestUser, ...told: Partial<BilledSubscription>[]) {
  for (const [n, one] of told.entries()) await syncAs(user, one, { at: baseTime + n });
  return kinds(user);
}

test("a new subscription is welcomed by one mail, however many events report it, and however often", async () => {
  const bought = await subscriber();
  await bought.tellAll({ times: 2, again: true });
  await opens(bought);
  await bought.is("active");
  await owes(welcome);
  expect(await sendAll(bought.user)).toEqual(["Welcome to Fivefold Premium"]);
});

test.each([
  { what: "a new subscription", kind: welcome, ready: buyer },
  {
    what: "a failed payment",
    kind: "past_due",
    async ready() {
      const bought = await subscriber();
      await bought.paymentFails();
      return bought;
    },
  },
])("$what owes one mail if its events come in reverse order or all at once", async (row) => {
  const [reverse, together] = [await row.ready(), await row.ready()];
  await env.DB.prepare("DELETE FROM outbox").run();
  for (const event of (await eventsOf(reverse.customer)).toReversed()) await deliver(event);
  await Promise.all((await eventsOf(together.customer)).map(deliver));
  expect(await rows("outbox")).toMatchObject([
    { userId: reverse.user.id, kind: row.kind },
    { userId: together.user.id, kind: row.kind },
  ]);
});

test("a subscription that is cancelled when it is first seen owes the mail with its date alone", async () => {
  expect(await syncAll(await makeUser(), { cancelAt: baseTime + 9_000 })).toEqual([cancelled]);
});

test("another subscription is welcomed again, but not one that a late payment brings back", async () => {
  const told = [{}, { status: "unpaid" }, {}, { status: "canceled", endedAt: baseTime }];
  expect(await syncAll(await makeUser(), ...told, { id: "sub_2" })).toEqual([
    ...[welcome, ended, ended, welcome],
  ]);
});

test("a failed payment owes one mail, however many events report it, and however often", async () => {
  const bought = await subscriber();
  await bought.paymentFails();
  await bought.tellAll({ times: 3 });
  await bought.tellAll({ again: true });
  await bought.is("past_due");
  await owes(welcome, "past_due");
  await deliverAll();
  const failed = (await mailsTo(addressOf(bought.user))).filter(
    ({ subject }) => subject === "Your last payment for Fivefold Premium failed",
  );
  expect(failed).toHaveLength(1);
  expect(failed[0]?.text).toMatch(
    /failed on \d+ \w+ \d{4}\. Premium continues for now\. It is tried again on \d+ \w+ \d{4}\./,
  );
});

test("a payment that is made good owes no further mail, and the next one that fails another", async () => {
  const bought = await subscriber();
  await bought.paymentFails();
  await bought.tellAll();
  await bought.paysAfterAll();
  await bought.tellAll();
  await bought.is("active");
  await owes(welcome, "past_due");
  await bought.paymentFails();
  await bought.tellAll();
  await owes(welcome, "past_due", "past_due");
  expect(await sendAll(bought.user)).toHaveLength(3);
});

test("the end of premium owes one mail, and what was owed about a failed payment is not sent any more", async () => {
  const bought = await subscriber();
  await bought.paymentFails();
  await bought.tellAll();
  await bought.cancels();
  await bought.tellAll({ times: 2 });
  await bought.tellAll({ again: true });
  await bought.is("canceled");
  await owes(welcome, "past_due", ended);
  expect(await sendAll(bought.user)).toEqual(["Your Fivefold Premium has ended"]);
});

test.each([
  { when: "on the date that was mailed", early: false, owed: [welcome, cancelled] },
  { when: "before it", early: true, owed: [welcome, cancelled, ended] },
])("premium that ends $when owes $owed", async ({ early, owed }) => {
  const bought = await subscriber();
  await bought.cancels("period_end");
  await bought.tellAll({ times: 2 });
  await owes(welcome, cancelled);
  await (early ? bought.cancels() : bought.nextPeriod());
  await bought.tellAll({ times: 2 });
  await bought.is("canceled");
  await owes(...owed);
});

test("the end of premium owes its mail even without an event, as soon as something else reads the subscription", async () => {
  const bought = await subscriber();
  await bought.cancels();
  await opens(bought);
  await bought.is("canceled");
  await owes(welcome, ended);
  await bought.tellAll();
  await owes(welcome, ended);
});

test("a cancellation owes one mail with its date, and another one if it is taken back and made again another day", async () => {
  const bought = await subscriber();
  await bought.cancels("period_end");
  await bought.tellAll({ times: 3 });
  await bought.tellAll({ again: true });
  await owes(welcome, cancelled);
  // By then the welcome would tell of the past.
  expect(await sendAll(bought.user)).toEqual([
    expect.stringMatching(/^Your Fivefold Premium ends on \d+ \w+ \d{4}$/),
  ]);
  async function cancelsAnew(createdAt?: number) {
    await bought.resumes();
    await bought.tellAll();
    if (createdAt) await change("outbox", {}, { createdAt });
    await bought.cancels("period_end");
    await bought.tellAll();
    return kinds();
  }
  expect(await cancelsAnew()).toEqual([welcome, cancelled]);
  expect(await cancelsAnew(Date.now() - 86_400_000)).toEqual([welcome, cancelled, cancelled]);
});

test("a cancellation that is taken back before its mail is sent is not mailed", async () => {
  const bought = await subscriber();
  await bought.cancels("period_end");
  await bought.tellAll();
  await bought.resumes();
  await bought.tellAll();
  expect(await sendAll(bought.user)).toEqual(["Welcome to Fivefold Premium"]);
});

test("a cancellation owes its mail while a payment is failing, too, but never two in one change", async () => {
  const failing = { status: "past_due" };
  const both = { ...failing, cancelAt: baseTime + 9_000 };
  expect(await syncAll(await makeUser(), {}, failing, both)).toEqual([
    ...[welcome, "past_due", cancelled],
  ]);
  expect(await syncAll(await makeUser(), {}, both)).toEqual([welcome, "past_due"]);
});

test("of all possible changes of status, only those that begin premium, end it or put it at risk owe a mail", async () => {
  const premium = ["active", "past_due"];
  for (const before of statuses) {
    for (const after of statuses) {
      const changes = [before, after, after].map((status) => ({ status }));
      const owed = await syncAll(await makeUser(), ...changes);
      const expected = [];
      const isFirst = ["incomplete", "trialing"].includes(before) && after === "active";
      if (before === "active" || isFirst) expected.push(welcome);
      if (before === "active" && after === "past_due") expected.push("past_due");
      if (premium.includes(before) && !premium.includes(after)) expected.push(ended);
      expect({ before, after, owed }).toEqual({ before, after, owed: expected });
    }
  }
});

test("no mail is owed by an older status, nor by the end of what the user's other customer has", async () => {
  const user = await makeUser();
  await syncAs(user, {}, { at: baseTime + 2 });
  await syncAs(user, { status: "canceled" }, { at: baseTime + 1 });
  const other = { id: "sub_2", status: "canceled" };
  await syncAs(user, other, { at: baseTime + 3, customer: "cus_other" });
  await owes(welcome);
  await stored("subscriptions", { status: "active" });
});

test("no mail is owed by the end of a subscription that did not give premium", async () => {
  const user = await makeUser();
  const its = { user_id: user.id, customer_id: `cus_${user.id}` };
  const free = { ...its, status: "active", tier: "free" };
  await insert("subscriptions", { ...free, updated_at: baseTime }).run();
  expect(await syncAll(user, { status: "canceled" })).toEqual([]);
  await stored("subscriptions", { status: "canceled" });
});

test("a user who wants no mails about the subscription gets none", async () => {
  const bought = await subscriber();
  const unwanted = { user_id: bought.user.id, receive_subscription_emails: 0 };
  await insert("email_preferences", { ...unwanted, updated_at: baseTime }).run();
  await bought.paymentFails();
  await bought.tellAll();
  expect(await sendAll(bought.user)).toEqual([]);
  const skipped = { state: "skipped", fault: "unwanted" };
  expect(await rows("outbox")).toMatchObject([
    { kind: welcome, ...skipped },
    { kind: "past_due", ...skipped },
  ]);
});
