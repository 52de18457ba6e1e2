import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDatabase } from "~/db/client.server";
import { confirmationToken } from "~/mailing/address.server";
import { readConfig } from "~/platform/env";
import { syncDueSubscriptions } from "~/premium/daily-sync.server";
import { createStripe } from "~/premium/stripe.server";
import { syncCustomer } from "~/premium/sync.server";
import { passTime } from "../../support/clock";
import { makeUser, type TestUser } from "../../support/database/factories";
import { db, row, untouched } from "../../support/database/rows";
import { answers } from "../../support/expectations";
import { makeSession } from "../../support/login";
import { noteQueued } from "../../support/mail-queue";
import { askToConfirm, mailsTo } from "../../support/mails";
import { byHand, customerAt, subscriber } from "../../support/people/subscriber";
import { request } from "../../support/request";
import { control } from "../../support/sandbox";
import { freeEmail, pay, recordOf, stripeApi } from "../../support/stripe/stripe";

const config = readConfig(env);
const billing = createStripe(config.stripe, config);
const services = { db, billing, mailQueue: noteQueued(), now: Date.now };
const nothing = { status: "none", tier: "free", subscription_id: null };

/** Posts a form with a user's login. */
async function posts(user: TestUser, path: string, status = 303): Promise<void> {
  const { cookie } = await makeSession(user);
  await answers(request(path, { cookie, form: {} }), status);
}

const giveUp = (user: TestUser) => posts(user, "/account/email/remove");

/** Confirms an address by the link mailed to it. */
async function confirm({ id: userId }: TestUser, address = freeEmail()): Promise<void> {
  const { subjectId } = await row("outbox", { id: await askToConfirm(userId, address) });
  const token = await confirmationToken(config.sessionSecret, subjectId);
  await answers(request(`/confirm-email?token=${token}`, { form: {} }), 303);
}

/** Somebody to whom a subscription made in Stripe's dashboard has gone by their address. */
async function matched() {
  const email = freeEmail();
  const user = await makeUser({ ownEmail: email });
  const bought = await byHand(email.toUpperCase());
  await bought.tell();
  return { email, user, ...bought };
}

test("a subscription made in Stripe's dashboard belongs to the user with its address, in upper or lower case", async () => {
  const email = freeEmail();
  const user = await makeUser({ ownEmail: `Ines.${email}` });
  const other = await makeUser({ ownEmail: email });
  const { belongsTo, tell } = await byHand(`iNES.${email.toUpperCase()}`);
  await tell();
  await belongsTo(user);
  expect(await recordOf(other)).toBeNull();
});

test.each<[who: string, ready: (address: string) => Promise<unknown>]>([
  ["has another address of its mailbox", (at) => makeUser({ ownEmail: at.replace("@", "+tag@") })],
  ["has the address from Spotify alone", (email) => makeUser({ email })],
  ["has not confirmed it yet", async (at) => askToConfirm((await makeUser()).id, at)],
  [
    "shares it with another",
    async (at) => {
      for (const ownEmail of [at, at.toUpperCase()]) await makeUser({ ownEmail });
    },
  ],
  ["has no address", () => makeUser({ email: null })],
])(
  "a subscription made in Stripe's dashboard belongs to nobody who %s, and the operator hears of its payment",
  async (_who, ready) => {
    const email = freeEmail();
    await ready(email);
    const { customer, tell } = await byHand(email);
    const told = async () =>
      (await mailsTo(config.contactEmail)).filter(({ text }) => text.includes(customer));
    await untouched(() => tell("customer.subscription.created"));
    expect(await told()).toEqual([]);
    await untouched(() => tell());
    expect(await told()).toMatchObject([{ subject: "A payment for premium belongs to nobody" }]);
  },
);

test("a subscription made in Stripe's dashboard is found if its user comes later, at the next event", async () => {
  const email = freeEmail();
  const { belongsTo, tell } = await byHand(email);
  await tell();
  const user = await makeUser({ ownEmail: email });
  await tell();
  await belongsTo(user);
});

test.each([
  ["invoice.paid", "invoice.paid"],
  ["checkout.session.completed", "customer.subscription.created"],
  ["customer.subscription.created", "checkout.session.completed"],
])(
  "a subscription belongs to the user whom its customer or checkout names, not to the one with the address (%s)",
  async (first, next) => {
    const email = freeEmail();
    const [named, addressed] = [await makeUser(), await makeUser({ ownEmail: email })];
    const clientReference = first !== next;
    const { tell, told } = await byHand(email, { userId: named.id, clientReference });
    await tell(first);
    await tell(next);
    expect([await recordOf(named), await recordOf(addressed)]).toEqual([await told(), null]);
  },
);

const partings = [
  { how: "removes it", act: giveUp },
  { how: "confirms another", act: (user: TestUser) => confirm(user) },
];

test.each(partings)(
  "a subscription by an address ends for a user who $how, and whose deletion then ends nothing at Stripe",
  async ({ act }) => {
    const { user, tell, subscriptions } = await matched();
    await act(user);
    expect(await recordOf(user)).toMatchObject(nothing);
    await tell();
    expect(await recordOf(user)).toMatchObject(nothing);
    await posts(user, "/account/delete");
    expect(await subscriptions()).toMatchObject([{ status: "active" }]);
  },
);

test("a subscription by an address goes to the next user who confirms it, at once", async () => {
  const { belongsTo, user, email } = await matched();
  await giveUp(user);
  const taker = await makeUser();
  await confirm(taker, email);
  await belongsTo(taker);
  expect(await recordOf(user)).toMatchObject({ ...nothing, customer_id: null });
});

test("a subscription by an address goes to its next user the next night if Stripe does not answer", async () => {
  const { belongsTo, user, customer, email } = await matched();
  await control("fail", { route: `GET /v1/customers/${customer}`, status: 403, times: 2 });
  await giveUp(user);
  const taker = await makeUser();
  await confirm(taker, email);
  expect(await recordOf(taker)).toBeNull();
  await syncDueSubscriptions(services);
  await belongsTo(taker);
});

test("a subscription by an address is nobody's while two users have confirmed it", async () => {
  const { belongsTo, user, email } = await matched();
  const other = await makeUser();
  await confirm(other, email.toUpperCase());
  expect(await recordOf(user)).toMatchObject(nothing);
  expect(await recordOf(other)).toBeNull();
  await giveUp(user);
  await belongsTo(other);
});

test.each(partings)(
  "a subscription by an address comes back at once to the user who is left when another who has confirmed it $how",
  async ({ act }) => {
    const { belongsTo, user, email } = await matched();
    const other = await makeUser();
    await confirm(other, email);
    await act(other);
    await belongsTo(user);
  },
);

test("a subscription by an address comes back the next night when another who has confirmed it deletes the account, however late", async () => {
  const { belongsTo, user, email } = await matched();
  const other = await makeUser();
  await confirm(other, email);
  passTime(7 * 86_400_000);
  await syncDueSubscriptions(services);
  expect(await recordOf(user)).toMatchObject(nothing);
  await posts(other, "/account/delete");
  await syncDueSubscriptions(services);
  await belongsTo(user);
});

test("a subscription by an address comes back to a user who confirms it again", async () => {
  const { belongsTo, user, email } = await matched();
  await giveUp(user);
  await confirm(user, email);
  await belongsTo(user);
});

test("a subscription by an address does not become the user's own by a return from Stripe's portal, nor by a checkout that fails", async () => {
  const { user, tell, cancels } = await matched();
  const { cookie } = await makeSession(user);
  await request("/portal-session?next=/account", { cookie });
  await cancels();
  await tell("customer.subscription.deleted");
  await control("fail", { route: "POST /v1/customers", musician: user.id, status: 400 });
  await answers(request("/checkout-session", { cookie, json: {} }), 502);
  await giveUp(user);
  expect(await recordOf(user)).toMatchObject(nothing);
});

test("a subscription by an address follows the address that it has at Stripe", async () => {
  const { belongsTo, user, customer, tell, nextPeriod } = await matched();
  const email = freeEmail();
  const other = await makeUser({ ownEmail: email });
  await stripeApi("POST", `/customers/${customer}`, { email });
  await nextPeriod();
  await tell();
  expect(await recordOf(user)).toMatchObject({ ...nothing, customer_id: null });
  await belongsTo(other);
});

test("a subscription by an address stays, and ends in the record, if its customer is deleted at Stripe", async () => {
  const { user, customer, tell } = await matched();
  await stripeApi("DELETE", `/customers/${customer}`);
  await tell("customer.subscription.deleted");
  expect(await recordOf(user)).toMatchObject({ status: "canceled", customer_id: customer });
});

test("a subscription by an address is not written by a reading that was under way when the user gave it up", async () => {
  const { user, customer } = await matched();
  const hooks = [() => giveUp(user)];
  const meanwhile = createDatabase({
    prepare: (statement) => env.DB.prepare(statement),
    async batch<T>(statements: D1PreparedStatement[]) {
      const results = await env.DB.batch<T>(statements);
      await hooks.pop()?.();
      return results;
    },
  });
  await syncCustomer({ ...services, db: meanwhile }, customer);
  expect(await recordOf(user)).toMatchObject(nothing);
});

/** A user with premium bought in the app, and another customer with the same address. */
async function withTwoCustomers() {
  const email = freeEmail();
  const first = await subscriber(await makeUser({ ownEmail: email }));
  return { ...first, other: await byHand(email) };
}

test("a user with two customers keeps premium when the other one's subscription lapses", async () => {
  const { belongsTo, user, other } = await withTwoCustomers();
  await other.tell();
  await other.cancels();
  await other.tell("customer.subscription.deleted");
  await belongsTo(user);
});

test("a user with two customers keeps the first as the recorded one while both give premium", async () => {
  const { belongsTo, user, record, customer, other } = await withTwoCustomers();
  await other.tell();
  await belongsTo(user);
  await other.nextPeriod();
  await other.tell();
  expect(await record()).toMatchObject({ customer_id: customer });
});

test("a user with two customers switches to the other after the first lapses, at the other's next event", async () => {
  const { user, record, customer, cancels, tell, other } = await withTwoCustomers();
  await cancels();
  await tell("customer.subscription.deleted");
  expect(await record()).toMatchObject({ status: "canceled", customer_id: customer });
  await other.tell();
  await other.belongsTo(user);
  // A further event about the first customer changes nothing.
  await tell("customer.subscription.updated");
  await other.belongsTo(user);
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
  await customerAt(String((await pay(id)).session.customer)).tellAll();
  expect(await recordOf(user)).toBeNull();
});
