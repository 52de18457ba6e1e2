import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import type { BilledSubscription } from "~/premium/billing";
import { syncCustomer } from "~/premium/sync.server";
import { rowsOf, whileWritesFail } from "../../support/database/contents";
import { baseTime, insert, makeUser, type TestUser } from "../../support/database/factories";
import { noteQueued } from "../../support/mail-queue";
import { addressOf, deliver as deliverMails, mailsTo } from "../../support/mails";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { billed, statuses, stubBilling } from "../../support/stripe/billing-stub";
import {
  type Buyer,
  deliver,
  eventOf,
  eventsOf,
  makeBuyer,
  recordOf,
} from "../../support/stripe/stripe";

const db = createDatabase(env.DB);

/** Delivers all of a customer's events so far, except those in `told`. */
async function tellAll({ customer }: Buyer, told = new Set<string>(), times = 1): Promise<void> {
  for (const event of await eventsOf(customer)) {
    if (told.has(event.id)) continue;
    told.add(event.id);
    for (let n = 0; n < times; n += 1) {
      const { status } = await deliver(event);
      if (status !== 200) throw new Error(`${event.type} was answered ${status}`);
    }
  }
}

/** A user whose premium is recorded. */
async function subscriber() {
  const buyer = await makeBuyer(await makeUser());
  const told = new Set<string>();
  await tellAll(buyer, told);
  return { ...buyer, told };
}

async function kinds(): Promise<string[]> {
  const rows = await rowsOf("SELECT kind FROM outbox ORDER BY created_at, rowid");
  return (rows as { kind: string }[]).map(({ kind }) => kind);
}

/** The kinds of mails owed after the one that welcomes to Premium. */
async function kindsSince(): Promise<string[]> {
  const [first, ...more] = await kinds();
  expect(first).toBe("premium_welcome");
  return more;
}

/** Sends all owed mails. @returns the subjects of those in a user's mailbox. */
async function sendAll(user: TestUser): Promise<string[]> {
  const rows = (await rowsOf("SELECT id FROM outbox")) as { id: string }[];
  if (rows.length > 0) await deliverMails(rows.map(({ id }) => id));
  return (await mailsTo(addressOf(user))).map(({ subject }) => subject);
}

async function failPayment({ customer }: Buyer): Promise<void> {
  await control("stripeCard", { customer, card: "declined" });
  await control("stripePeriod", { customer });
}

describe("a subscription that is seen for the first time", () => {
  test("is welcomed by one mail, however many events report it, and however often", async () => {
    const buyer = await subscriber();
    await tellAll(buyer, new Set(), 2);
    await request(`/subscription-success?session_id=${buyer.checkoutId}`, { cookie: buyer.cookie });
    expect(await recordOf(buyer.user)).toMatchObject({ status: "active" });
    expect(await kinds()).toEqual(["premium_welcome"]);
    expect(await sendAll(buyer.user)).toEqual(["Welcome to Fivefold Premium"]);
  });

  test("is welcomed by one mail if its events come in reverse order or all at once", async () => {
    const [reverse, together] = [
      await makeBuyer(await makeUser()),
      await makeBuyer(await makeUser()),
    ];
    for (const event of (await eventsOf(reverse.customer)).toReversed()) await deliver(event);
    await Promise.all((await eventsOf(together.customer)).map(deliver));
    expect(await rowsOf("SELECT user_id, kind FROM outbox ORDER BY rowid")).toEqual([
      { user_id: reverse.user.id, kind: "premium_welcome" },
      { user_id: together.user.id, kind: "premium_welcome" },
    ]);
  });

  test("is welcomed although nothing was known of the user's customer before", async () => {
    await syncAs(await makeUser(), [billed()]);
    expect(await kinds()).toEqual(["premium_welcome"]);
  });

  test("and is cancelled already owes the mail with its date alone", async () => {
    await syncAs(await makeUser(), [billed({ cancelAt: baseTime + 9_000 })]);
    expect(await kinds()).toEqual(["premium_cancelled"]);
  });

  test.each(statuses.filter((status) => status !== "active"))(
    "owes no mail when it is %s",
    async (status) => {
      await syncAs(await makeUser(), [billed({ status })]);
      expect(await kinds()).toEqual([]);
    },
  );

  test("is welcomed again if it is another one, but not if a late payment brings it back", async () => {
    const user = await makeUser();
    await syncAs(user, [billed()]);
    await syncAs(user, [billed({ status: "unpaid" })], baseTime + 1);
    await syncAs(user, [billed()], baseTime + 2);
    await syncAs(user, [billed({ status: "canceled", endedAt: baseTime })], baseTime + 3);
    await syncAs(user, [billed({ id: "sub_2" })], baseTime + 4);
    const welcome = "premium_welcome";
    expect(await kinds()).toEqual([welcome, "premium_ended", "premium_ended", welcome]);
  });
});

/** Syncs a user's customer, for whom Stripe returns these subscriptions. */
async function syncAs(
  { id: userId }: TestUser,
  told: BilledSubscription[],
  at = baseTime,
): Promise<void> {
  const billing = stubBilling({
    subscriptions: async () => told,
    customer: async (id) => ({ id, userId, email: null }),
  });
  const services = { db, billing, mailQueue: noteQueued(), now: () => at };
  await syncCustomer(services, `cus_${userId}`);
}

describe("a failed payment", () => {
  test("owes one mail, however many events report it, and however often", async () => {
    const buyer = await subscriber();
    await failPayment(buyer);
    await tellAll(buyer, buyer.told, 3);
    await tellAll(buyer);
    expect(await recordOf(buyer.user)).toMatchObject({ status: "past_due" });
    expect(await kindsSince()).toEqual(["past_due"]);
    const failed = "Your last payment for Fivefold Premium failed";
    expect((await sendAll(buyer.user)).filter((subject) => subject === failed)).toEqual([failed]);
    const [mail] = (await mailsTo(addressOf(buyer.user))).filter(
      ({ subject }) => subject === failed,
    );
    expect(mail?.text).toMatch(
      /failed on \d+ \w+ \d{4}\. Premium continues for now\. It is tried again on \d+ \w+ \d{4}\./,
    );
  });

  test("owes one mail if its events come in reverse order or all at once", async () => {
    const [reverse, together] = [await subscriber(), await subscriber()];
    await env.DB.prepare("DELETE FROM outbox").run();
    for (const buyer of [reverse, together]) await failPayment(buyer);
    for (const event of (await eventsOf(reverse.customer)).toReversed()) await deliver(event);
    await Promise.all((await eventsOf(together.customer)).map(deliver));
    expect(await rowsOf("SELECT user_id, kind FROM outbox ORDER BY rowid")).toEqual([
      { user_id: reverse.user.id, kind: "past_due" },
      { user_id: together.user.id, kind: "past_due" },
    ]);
  });

  test("owes no further mail when it is made good, and another one when the next payment fails", async () => {
    const buyer = await subscriber();
    await failPayment(buyer);
    await tellAll(buyer, buyer.told);
    await control("stripeCard", { customer: buyer.customer, card: "works" });
    await control("stripePayInvoice", { customer: buyer.customer });
    await tellAll(buyer, buyer.told);
    expect(await recordOf(buyer.user)).toMatchObject({ status: "active" });
    expect(await kindsSince()).toEqual(["past_due"]);
    await failPayment(buyer);
    await tellAll(buyer, buyer.told);
    expect(await kindsSince()).toEqual(["past_due", "past_due"]);
    expect(await sendAll(buyer.user)).toHaveLength(3);
  });

  test("is recorded in the same batch as its mail: both or neither are written", async () => {
    const buyer = await subscriber();
    await failPayment(buyer);
    const event = await eventOf(buyer.customer, "invoice.payment_failed");
    await whileWritesFail("INSERT", "outbox", async () => {
      expect((await deliver(event)).status).toBe(500);
    });
    expect(await recordOf(buyer.user)).toMatchObject({ status: "active" });
    await tellAll(buyer, buyer.told);
    expect(await kindsSince()).toEqual(["past_due"]);
  });
});

describe("the end of premium", () => {
  test.each(["active", "past_due"])("owes one mail if it was %s", async (before) => {
    const buyer = await subscriber();
    if (before === "past_due") {
      await failPayment(buyer);
      await tellAll(buyer, buyer.told);
    }
    await control("stripeCancel", { customer: buyer.customer, at: "now" });
    await tellAll(buyer, buyer.told, 2);
    await tellAll(buyer);
    expect(await recordOf(buyer.user)).toMatchObject({ status: "canceled" });
    expect((await kinds()).filter((kind) => kind === "premium_ended")).toHaveLength(1);
    // The mail about the failed payment is outdated and not sent.
    expect(await sendAll(buyer.user)).toEqual(["Your Fivefold Premium has ended"]);
  });

  test("owes no second mail where its date has been mailed", async () => {
    const buyer = await subscriber();
    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tellAll(buyer, buyer.told, 2);
    expect(await kindsSince()).toEqual(["premium_cancelled"]);
    await control("stripePeriod", { customer: buyer.customer });
    await tellAll(buyer, buyer.told, 2);
    expect(await recordOf(buyer.user)).toMatchObject({ status: "canceled" });
    expect(await kindsSince()).toEqual(["premium_cancelled"]);
  });

  test("owes a mail if it comes before the date that was mailed", async () => {
    const buyer = await subscriber();
    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tellAll(buyer, buyer.told);
    await control("stripeCancel", { customer: buyer.customer, at: "now" });
    await tellAll(buyer, buyer.told);
    expect(await kindsSince()).toEqual(["premium_cancelled", "premium_ended"]);
  });

  test("owes its mail even without an event, as soon as something else reads the subscription", async () => {
    const buyer = await subscriber();
    await control("stripeCancel", { customer: buyer.customer, at: "now" });
    await request(`/subscription-success?session_id=${buyer.checkoutId}`, { cookie: buyer.cookie });
    expect(await recordOf(buyer.user)).toMatchObject({ status: "canceled" });
    expect(await kindsSince()).toEqual(["premium_ended"]);
    await tellAll(buyer, buyer.told);
    expect(await kindsSince()).toEqual(["premium_ended"]);
  });
});

describe("a cancellation", () => {
  test("owes one mail with its date, and another one if it is taken back and made again another day", async () => {
    const buyer = await subscriber();
    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tellAll(buyer, buyer.told, 3);
    await tellAll(buyer);
    expect(await kindsSince()).toEqual(["premium_cancelled"]);
    const subjects = await sendAll(buyer.user);
    // By then the welcome would tell of the past.
    expect(subjects).toEqual([
      expect.stringMatching(/^Your Fivefold Premium ends on \d+ \w+ \d{4}$/),
    ]);

    await control("stripeResume", { customer: buyer.customer });
    await tellAll(buyer, buyer.told);
    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tellAll(buyer, buyer.told);
    expect(await kindsSince()).toEqual(["premium_cancelled"]);
    await control("stripeResume", { customer: buyer.customer });
    await tellAll(buyer, buyer.told);
    await env.DB.prepare("UPDATE outbox SET created_at = created_at - 86400000").run();
    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tellAll(buyer, buyer.told);
    expect(await kindsSince()).toEqual(["premium_cancelled", "premium_cancelled"]);
  });

  test("that is taken back before its mail is sent is not mailed", async () => {
    const buyer = await subscriber();
    await control("stripeCancel", { customer: buyer.customer, at: "period_end" });
    await tellAll(buyer, buyer.told);
    await control("stripeResume", { customer: buyer.customer });
    await tellAll(buyer, buyer.told);
    expect(await sendAll(buyer.user)).toEqual(["Welcome to Fivefold Premium"]);
  });

  test("owes its mail while a payment is failing, too, but never two in one change", async () => {
    const user = await makeUser();
    const cancelAt = baseTime + 9_000;
    await syncAs(user, [billed()]);
    await syncAs(user, [billed({ status: "past_due" })], baseTime + 1);
    await syncAs(user, [billed({ status: "past_due", cancelAt })], baseTime + 2);
    expect(await kindsSince()).toEqual(["past_due", "premium_cancelled"]);
    const other = await makeUser();
    await syncAs(other, [billed()]);
    await syncAs(other, [billed({ status: "past_due", cancelAt })], baseTime + 1);
    expect(
      await rowsOf("SELECT kind FROM outbox WHERE user_id = ? ORDER BY created_at", other.id),
    ).toEqual([{ kind: "premium_welcome" }, { kind: "past_due" }]);
  });
});

test("of all possible changes of status, only those that begin premium, end it or put it at risk owe a mail", async () => {
  const premium = ["active", "past_due"];
  for (const before of statuses) {
    for (const after of statuses) {
      const user = await makeUser();
      await syncAs(user, [billed({ status: before })]);
      await syncAs(user, [billed({ status: after })], baseTime + 1);
      await syncAs(user, [billed({ status: after })], baseTime + 2);
      const owed = await rowsOf(
        "SELECT kind FROM outbox WHERE user_id = ? ORDER BY created_at",
        user.id,
      );
      const expected = [];
      const isFirst = ["incomplete", "trialing"].includes(before) && after === "active";
      if (before === "active" || isFirst) expected.push({ kind: "premium_welcome" });
      if (before === "active" && after === "past_due") expected.push({ kind: "past_due" });
      if (premium.includes(before) && !premium.includes(after)) {
        expected.push({ kind: "premium_ended" });
      }
      expect({ before, after, owed }).toEqual({ before, after, owed: expected });
    }
  }
});

describe("no mail is owed by", () => {
  test("a status that is older than the recorded one", async () => {
    const user = await makeUser();
    await syncAs(user, [billed({ status: "active" })], baseTime + 2);
    await syncAs(user, [billed({ status: "canceled" })], baseTime + 1);
    expect(await kindsSince()).toEqual([]);
  });

  test("the end of a subscription that did not give premium", async () => {
    const user = await makeUser();
    await insert("subscriptions", {
      user_id: user.id,
      status: "active",
      tier: "free",
      customer_id: `cus_${user.id}`,
      updated_at: baseTime,
    }).run();
    await syncAs(user, [billed({ status: "canceled" })]);
    expect(await recordOf(user)).toMatchObject({ status: "canceled" });
    expect(await kinds()).toEqual([]);
  });

  test("the end of the subscription of the user's other customer", async () => {
    const user = await makeUser();
    await syncAs(user, [billed()]);
    const billing = stubBilling({
      subscriptions: async () => [billed({ id: "sub_2", status: "canceled" })],
      customer: async (id) => ({ id, userId: user.id, email: null }),
    });
    const services = { db, billing, mailQueue: noteQueued(), now: () => baseTime + 1 };
    await syncCustomer(services, "cus_other");
    expect(await kindsSince()).toEqual([]);
    expect(await recordOf(user)).toMatchObject({ status: "active" });
  });
});

test("a user who wants no mails about the subscription gets none", async () => {
  const buyer = await subscriber();
  await insert("email_preferences", {
    user_id: buyer.user.id,
    receive_subscription_emails: 0,
    updated_at: baseTime,
  }).run();
  await failPayment(buyer);
  await tellAll(buyer, buyer.told);
  expect(await sendAll(buyer.user)).toEqual([]);
  expect(await rowsOf("SELECT kind, state, fault FROM outbox ORDER BY rowid")).toEqual([
    { kind: "premium_welcome", state: "skipped", fault: "unwanted" },
    { kind: "past_due", state: "skipped", fault: "unwanted" },
  ]);
});
