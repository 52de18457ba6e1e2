import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmationToken } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { syncDueSubscriptions } from "~/premium/daily-sync.server";
import { createStripe } from "~/premium/stripe.server";
import { syncCustomer } from "~/premium/sync.server";
import { passTime } from "../../support/clock";
import { contents } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { askToConfirm } from "../../support/mails";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import {
  deliver,
  eventOf,
  eventsOf,
  freeEmail,
  makeBuyer,
  pay,
  recordOf,
  stripeApi,
  stripeState,
  subscribeByHand,
  toldByStripe,
} from "../../support/stripe/stripe";

/** Delivers a customer's newest event of a type, after which the app reads the customer. */
async function tell(customer: string, type = "invoice.paid"): Promise<void> {
  const { status } = await deliver(await eventOf(customer, type));
  if (status !== 200) throw new Error(`${type} was answered ${status}`);
}

describe("a subscription made in Stripe's dashboard", () => {
  test("belongs to the user with its e-mail address, in upper or lower case", async () => {
    const email = freeEmail();
    const user = await makeUser({ ownEmail: `Ines.${email}` });
    const other = await makeUser({ ownEmail: email });
    const { customer } = await subscribeByHand(`iNES.${email.toUpperCase()}`);
    await tell(customer);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    expect(await recordOf(other)).toBeNull();
  });

  test("belongs to nobody by another address of the user's mailbox", async () => {
    const email = freeEmail();
    const user = await makeUser({ ownEmail: email });
    const { customer } = await subscribeByHand(email.replace("@", "+tag@"));
    await tell(customer);
    expect(await recordOf(user)).toBeNull();
  });

  test("belongs to nobody if the user's address comes from Spotify, or is not confirmed yet", async () => {
    const email = freeEmail();
    const [told, asking] = [await makeUser({ email }), await makeUser()];
    await askToConfirm(asking.id, email);
    const { customer } = await subscribeByHand(email);
    const before = await contents();
    await tell(customer);
    expect(await contents()).toEqual(before);
    expect([await recordOf(told), await recordOf(asking)]).toEqual([null, null]);
  });

  test("belongs to nobody if two users have the address, or none has", async () => {
    const email = freeEmail();
    await makeUser({ ownEmail: email });
    await makeUser({ ownEmail: email.toUpperCase() });
    await makeUser({ email: null });
    for (const address of [email, freeEmail()]) {
      const { customer } = await subscribeByHand(address);
      const before = await contents();
      await tell(customer);
      expect(await contents()).toEqual(before);
    }
  });

  test("is found if its user comes later, at the next event", async () => {
    const email = freeEmail();
    const { customer } = await subscribeByHand(email);
    await tell(customer);
    const user = await makeUser({ ownEmail: email });
    await tell(customer);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("belongs to the user in the customer's metadata, not to the one with the address", async () => {
    const email = freeEmail();
    const [named, addressed] = [await makeUser(), await makeUser({ ownEmail: email })];
    const { customer } = await subscribeByHand(email, { userId: named.id });
    await tell(customer);
    expect([await recordOf(named), await recordOf(addressed)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });
});

describe("a subscription that goes by an address", () => {
  const config = readConfig(env);
  const billing = createStripe(config.stripe, config);

  /** Somebody to whom a subscription made in Stripe's dashboard has gone by their address. */
  async function matched() {
    const email = freeEmail();
    const user = await makeUser({ ownEmail: email });
    const { customer } = await subscribeByHand(email.toUpperCase());
    await tell(customer);
    return { email, user, customer };
  }

  /** Confirms an address by the link mailed to it. */
  async function confirm({ id }: TestUser, address: string): Promise<void> {
    await askToConfirm(id, address);
    const query =
      "SELECT id FROM mailed_proofs WHERE asked_by = ? AND address = ? ORDER BY created_at DESC";
    const link = await env.DB.prepare(query).bind(id, address).first<string>("id");
    const token = await confirmationToken(config.sessionSecret, link ?? "");
    const { status } = await request(`/confirm-email?token=${token}`, { form: {} });
    if (status !== 303) throw new Error(`the confirmation was answered ${status}`);
  }

  async function giveUp(user: TestUser): Promise<void> {
    const { cookie } = await makeSession(user);
    const { status } = await request("/account/email/remove", { cookie, form: {} });
    if (status !== 303) throw new Error(`the removal was answered ${status}`);
  }

  const nothing = { status: "none", tier: "free", subscription_id: null };

  test.each([
    { how: "removes it", act: giveUp },
    { how: "confirms another", act: (user: TestUser) => confirm(user, freeEmail()) },
  ])(
    "ends for a user who $how, and whose deletion then ends nothing at Stripe",
    async ({ act }) => {
      const { user, customer } = await matched();
      await act(user);
      expect(await recordOf(user)).toMatchObject(nothing);
      await tell(customer);
      expect(await recordOf(user)).toMatchObject(nothing);
      const { cookie } = await makeSession(user);
      expect((await request("/account/delete", { cookie, json: {} })).status).toBe(200);
      const { subscriptions } = await stripeState({ customer });
      expect(subscriptions.map(({ status }) => status)).toEqual(["active"]);
    },
  );

  test("goes to the next user who confirms it, at once", async () => {
    const { user, customer, email } = await matched();
    await giveUp(user);
    const taker = await makeUser();
    await confirm(taker, email);
    expect(await recordOf(taker)).toEqual(await toldByStripe(customer));
    expect(await recordOf(user)).toMatchObject({ ...nothing, customer_id: null });
  });

  test("goes there the next night if Stripe does not answer", async () => {
    const { user, customer, email } = await matched();
    const route = `GET /v1/customers/${customer}`;
    await control("fail", { route, status: 403, times: 2 });
    await giveUp(user);
    const taker = await makeUser();
    await confirm(taker, email);
    expect(await recordOf(taker)).toBeNull();
    const services = {
      db: createDatabase(env.DB),
      billing,
      mailQueue: noteQueued(),
      now: Date.now,
    };
    await syncDueSubscriptions(services);
    expect(await recordOf(taker)).toEqual(await toldByStripe(customer));
  });

  test("is nobody's while two users have confirmed it", async () => {
    const { user, customer, email } = await matched();
    const other = await makeUser();
    await confirm(other, email.toUpperCase());
    expect([await recordOf(user), await recordOf(other)]).toEqual([
      expect.objectContaining(nothing),
      null,
    ]);
    await giveUp(user);
    expect(await recordOf(other)).toEqual(await toldByStripe(customer));
  });

  test.each([
    { how: "removes it", act: giveUp },
    { how: "confirms another", act: (other: TestUser) => confirm(other, freeEmail()) },
  ])(
    "comes back at once to the user who is left when another who has confirmed it $how",
    async ({ act }) => {
      const { user, customer, email } = await matched();
      const other = await makeUser();
      await confirm(other, email);
      await act(other);
      expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    },
  );

  test("comes back the next night to the user who is left when another deletes the account, however late", async () => {
    const { user, customer, email } = await matched();
    const services = {
      ...{ db: createDatabase(env.DB), billing, mailQueue: noteQueued() },
      now: Date.now,
    };
    const other = await makeUser();
    await confirm(other, email);
    passTime(7 * 24 * 60 * 60 * 1000);
    await syncDueSubscriptions(services);
    expect(await recordOf(user)).toMatchObject(nothing);
    const { cookie } = await makeSession(other);
    expect((await request("/account/delete", { cookie, json: {} })).status).toBe(200);
    await syncDueSubscriptions(services);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("comes back to a user who confirms it again", async () => {
    const { user, customer, email } = await matched();
    await giveUp(user);
    await confirm(user, email);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("is not made the user's own by a return from Stripe's portal, nor by a checkout that fails", async () => {
    const { user, customer } = await matched();
    const { cookie } = await makeSession(user);
    await request("/portal-session?next=/account", { cookie });
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    const route = "POST /v1/customers";
    await control("fail", { route, musician: user.id, status: 400 });
    expect((await request("/checkout-session", { cookie, json: {} })).status).toBe(502);
    await giveUp(user);
    expect(await recordOf(user)).toMatchObject(nothing);
  });

  test("follows the address that it has at Stripe", async () => {
    const { user, customer } = await matched();
    const email = freeEmail();
    const other = await makeUser({ ownEmail: email });
    await stripeApi("POST", `/customers/${customer}`, { email });
    await control("stripePeriod", { customer });
    await tell(customer);
    expect(await recordOf(user)).toMatchObject({ ...nothing, customer_id: null });
    expect(await recordOf(other)).toEqual(await toldByStripe(customer));
  });

  test("stays, and ends in the record, if its customer is deleted at Stripe", async () => {
    const { user, customer } = await matched();
    await stripeApi("DELETE", `/customers/${customer}`);
    await tell(customer, "customer.subscription.deleted");
    expect(await recordOf(user)).toMatchObject({ status: "canceled", customer_id: customer });
  });

  test("is not written by a reading that was under way when the user gave it up", async () => {
    const { user, customer } = await matched();
    const hooks = [() => giveUp(user)];
    const db = createDatabase({
      prepare: (statement) => env.DB.prepare(statement),
      async batch<T>(statements: D1PreparedStatement[]) {
        const results = await env.DB.batch<T>(statements);
        await hooks.pop()?.();
        return results;
      },
    });
    const services = { db, billing, mailQueue: noteQueued(), now: Date.now };
    await syncCustomer(services, customer);
    expect(await recordOf(user)).toMatchObject(nothing);
  });
});

describe("a checkout made without the app, with a user as its client reference,", () => {
  test.each([
    { first: "checkout.session.completed", next: "customer.subscription.created" },
    { first: "customer.subscription.created", next: "checkout.session.completed" },
  ])("gives premium to that user, whoever has the address, with $first first", async (order) => {
    const email = freeEmail();
    const [beginner, addressed] = [await makeUser(), await makeUser({ ownEmail: email })];
    const { customer } = await subscribeByHand(email, {
      userId: beginner.id,
      clientReference: true,
    });
    await tell(customer, order.first);
    await tell(customer, order.next);
    expect([await recordOf(beginner), await recordOf(addressed)]).toEqual([
      await toldByStripe(customer),
      null,
    ]);
  });
});

describe("a user with two customers", () => {
  /** A user with premium bought in the app, and another customer with the same address. */
  async function withTwoCustomers() {
    const email = freeEmail();
    const buyer = await makeBuyer(await makeUser({ ownEmail: email }));
    await tell(buyer.customer);
    const other = await subscribeByHand(email);
    return { ...buyer, other: other.customer };
  }

  test("keeps premium when the other one's subscription lapses", async () => {
    const { user, customer, other } = await withTwoCustomers();
    await tell(other);
    await control("stripeCancel", { customer: other, at: "now" });
    await tell(other, "customer.subscription.deleted");
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
  });

  test("keeps the first as the recorded customer while both give premium", async () => {
    const { user, customer, other } = await withTwoCustomers();
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(customer));
    await control("stripePeriod", { customer: other });
    await tell(other);
    expect(await recordOf(user)).toMatchObject({ customer_id: customer });
  });

  test("switches to the other after the first lapses, at the other's next event", async () => {
    const { user, customer, other } = await withTwoCustomers();
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    expect(await recordOf(user)).toMatchObject({ status: "canceled", customer_id: customer });
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
    // A further event about the first customer changes nothing.
    await tell(customer, "customer.subscription.updated");
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
  });

  test("switches to the other if that one subscribes after the first has ended", async () => {
    const email = freeEmail();
    const { user, customer } = await makeBuyer(await makeUser({ ownEmail: email }));
    await control("stripeCancel", { customer, at: "now" });
    await tell(customer, "customer.subscription.deleted");
    const { customer: other } = await subscribeByHand(email);
    await tell(other);
    expect(await recordOf(user)).toEqual(await toldByStripe(other));
  });
});

test("a customer who buys another product of the operator's gets no premium", async () => {
  const email = freeEmail();
  const user = await makeUser({ ownEmail: email });
  const { id } = await stripeApi<{ id: string }>("POST", "/checkout/sessions", {
    mode: "subscription",
    customer_email: email,
    "line_items[0][price]": "price_ForeignMonthly",
    "line_items[0][quantity]": "1",
    success_url: env.APP_ORIGIN,
  });
  const { session } = await pay(id);
  const customer = String(session.customer);
  for (const event of await eventsOf(customer)) expect((await deliver(event)).status).toBe(200);
  expect(await recordOf(user)).toBeNull();
});
